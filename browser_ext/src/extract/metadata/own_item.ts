// Which of a page's items is the one that the page is about: the one with its address or its name.
import { webUrl } from '../../grants/hosts'
import { oneLine } from '../plain_text'
import { textsOf, type Item } from './item'

/** What a page is called, and where it is. */
export interface Identity {
  names: ReadonlySet<string>[]
  /** Each as `addressKey` has it. */
  addresses: ReadonlySet<string>
  paths: ReadonlySet<string>
}

const MOST_NAMES = 8
const NAME_CHARACTERS = 300
/** The share of common words from which on two names mean the same thing. */
const ALIKE = 0.5
/** What an address is worth beside the likeness of names, with its parameters and without. */
const HERE = 3
const ON_PATH = 2
const SEPARATOR = /\s+[|–—·•:»-]+\s+/

export function identityOf(page: Document, openGraph: (name: string) => string | null): Identity {
  const headings = [...page.querySelectorAll('h1')].slice(0, 3).map((heading) => heading.textContent ?? '')
  const titles = [openGraph('og:title'), page.title].filter((title) => title !== null)
  const names = [...headings, ...titles, ...titles.flatMap((title) => title.slice(0, NAME_CHARACTERS).split(SEPARATOR))]
  const canonical = page.querySelector('link[rel~="canonical" i][href]')?.getAttribute('href') ?? ''
  const urls = [page.URL, canonical, openGraph('og:url') ?? ''].map((address) => addressOf(address, page.baseURI))
  return {
    names: names
      .map(wordsOf)
      .filter((words) => words.length > 0)
      .slice(0, MOST_NAMES)
      .map((words) => new Set(words)),
    addresses: new Set(urls.flatMap((url) => (url ? [addressKey(url)] : []))),
    paths: new Set(urls.flatMap((url) => (url ? [pathKey(url)] : []))),
  }
}

/**
 * The item of the page itself, then others that describe the same thing. Of `kinds` the first that has any counts where
 * no item bears a sign.
 */
export function ownItems(kinds: readonly (readonly Item[])[], identity: Identity, base: string): Item[] {
  const scores = new Map(kinds.flat().map((item) => [item, scoreOf(item, identity, base)]))
  const best = Math.max(...scores.values())
  const main =
    best > 0
      ? [...scores.keys()].find((item) => scores.get(item) === best)
      : withoutSigns(kinds, (item) => scores.get(item) === 0, identity)
  if (!main) return []
  const others = [...scores].filter(
    ([item, score]) => item !== main && (score >= ON_PATH || nameOf(item) === nameOf(main)),
  )
  return [main, ...others.map(([item]) => item)]
}

/** Of several items without any sign none is the page's. */
function withoutSigns(
  kinds: readonly (readonly Item[])[],
  isPossible: (item: Item) => boolean,
  { names }: Identity,
): Item | undefined {
  const [items = []] = kinds.map((ofKind) => ofKind.filter(isPossible)).filter((ofKind) => ofKind.length > 0)
  return names.length === 0 || new Set(items.map(nameOf)).size === 1 ? items[0] : undefined
}

function nameOf(item: Item): string {
  return wordsOf(textsOf(item, 'name')[0] ?? '').join(' ')
}

/** Below 0: another page's. 0: no sign. */
function scoreOf(item: Item, identity: Identity, base: string): number {
  const own = ['url', '@id', 'mainEntityOfPage'].flatMap((name) => urlsOf(item, name, base))
  const texts = ['name', 'headline'].flatMap((name) => textsOf(item, name))
  const likeness = Math.max(0, ...texts.map((text) => nameLikeness(text, identity)))
  if (own.some((url) => identity.addresses.has(addressKey(url)))) return HERE + likeness
  if (own.some((url) => identity.paths.has(pathKey(url)))) return ON_PATH + likeness
  const isElsewhere = identity.names.length > 0 && likeness < ALIKE && urlsOf(item, 'url', base).length > 0
  return isElsewhere ? likeness - 1 : likeness
}

function urlsOf(item: Item, name: string, base: string): URL[] {
  return textsOf(item, name).flatMap((address) => addressOf(address, base) ?? [])
}

/** How much a name is one of the page's: from 0 to 1. */
export function nameLikeness(text: string, { names }: Identity): number {
  const words = wordsOf(text)
  return Math.max(0, ...names.map((name) => likenessOf(words, name)))
}

/** The F1 of the words of two names. */
function likenessOf(words: readonly string[], name: ReadonlySet<string>): number {
  const own = new Set(words)
  const common = [...own].filter((word) => name.has(word)).length
  return (2 * common) / (own.size + name.size || 1)
}

function wordsOf(name: string): string[] {
  return (
    oneLine(name.slice(0, NAME_CHARACTERS))
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

export function addressOf(address: string, base: string): URL | null {
  return address && URL.canParse(address, base) ? webUrl(new URL(address, base).href) : null
}

export function addressKey(url: URL): string {
  return pathKey(url) + url.search
}

function pathKey({ hostname, pathname }: URL): string {
  return hostname.replace(/^www\./, '') + pathname.replace(/\/(index\.\w+)?$/, '')
}
