// Metadata of a page as typed values: title, names, dates, price, and offers if one price does not suffice. Readers do
// not see metadata, so it never becomes part of the text. Nothing else of a page's JSON leaves the browser.
import { urlToStore, webUrl } from '../../grants/hosts'
import type { Metadata } from '../../protocol.gen'
import { isOfType, textsOf, valuesOf, type Item } from './item'
import { itemsOf } from './metadata_items'
import { identityOf, ownItems, type Identity } from './own_item'
import { priceFacts } from './price_facts'
import { firstParsed } from './values'
import { oneLine } from '../plain_text'
import { struckAmounts } from './struck'

const TITLE_CHARACTERS = 300
const SITE_CHARACTERS = 100
const AUTHOR_CHARACTERS = 200
const URL_CHARACTERS = 2_000
const MOST_IMAGES = 8

/** The first kind that matches decides. */
const KINDS: [NonNullable<Metadata['kind']>, RegExp][] = [
  [
    'product',
    /^(product|productgroup|productmodel|individualproduct|someproducts|book|vehicle|car|motorcycle|offering)$/,
  ],
  ['recipe', /^recipe$/],
  ['video', /^(video|videoobject|movie)(\.|$)/],
  ['article', /article$|^(blogposting|report|socialmediaposting)$/],
]

/** Null if the page has no metadata. */
export function metadataOf(page: Document): Metadata | null {
  const open = openGraph(page)
  const identity = identityOf(page, open)
  const [kind, own] = mainOf(itemsOf(page), identity, open('og:type'), page.baseURI)
  const [item] = own
  const { offers, ...price } = priceFacts(page, own, kind, identity, open)
  const metadata = {
    kind,
    title: line(TITLE_CHARACTERS, [open('og:title'), ...textsOfItem(item, 'headline', 'name')]),
    site_name: line(SITE_CHARACTERS, [open('og:site_name'), ...textsOfItem(item, 'publisher')]),
    author: line(AUTHOR_CHARACTERS, [...textsOfItem(item, 'author', 'creator'), metaByName(page, 'author')]),
    published: date([...textsOfItem(item, 'datePublished', 'uploadDate'), open('article:published_time')]),
    modified: date([...textsOfItem(item, 'dateModified'), open('article:modified_time')]),
    ...price,
    seconds: firstParsed([...textsOfItem(item, 'duration'), textByItemprop(page, 'duration')], durationOf),
    views: firstParsed([...textsOfItem(item, 'interactionCount'), textByItemprop(page, 'interactionCount')], countOf),
    struck: struckAmounts(page),
    images: imagesOf([open('og:image'), ...textsOfItem(item, 'image', 'thumbnailUrl')], page.baseURI),
  }
  if (offers.length > 1 || (offers.length > 0 && metadata.price === null)) {
    Object.assign(metadata, {
      json_ld: [{ '@type': 'Product', ...(metadata.title && { name: metadata.title }), offers }],
    })
  }
  const present = Object.entries(metadata).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== null,
  )
  return present.length > 0 ? Object.fromEntries(present) : null
}

/** The kind of the page, and the items that describe it. */
function mainOf(
  items: readonly Item[],
  identity: Identity,
  openGraphType: string | null,
  base: string,
): [(Metadata['kind'] & string) | null, Item[]] {
  const kinds = KINDS.map(([kind]) => items.filter((item) => kindOf(item) === kind))
  const own = ownItems(kinds, identity, base)
  const [main] = own
  if (main) return [kindOf(main), own.filter((item) => kindOf(item) === kindOf(main))]
  const [kind = null] = KINDS.find(([, types]) => types.test((openGraphType ?? '').toLowerCase())) ?? []
  return [kind, []]
}

/** Whatever has offers is a product, unless it is one of the others. */
function kindOf(item: Item): (Metadata['kind'] & string) | null {
  const [kind = null] = KINDS.find(([, types]) => isOfType(item, types)) ?? []
  return kind ?? (valuesOf(item, 'offers').length > 0 ? 'product' : null)
}

/** Some sites write `name` for `property`. */
function openGraph(page: Document): (name: string) => string | null {
  return (name) => {
    const metas = page.querySelectorAll(`meta[property="${name}" i][content], meta[name="${name}" i][content]`)
    const contents = [...metas].map((meta) => meta.getAttribute('content') ?? '')
    return contents.find((content) => content.trim() !== '') ?? null
  }
}

function metaByName(page: Document, name: string): string | null {
  return page.querySelector(`meta[name="${name}" i][content]`)?.getAttribute('content') ?? null
}

function textByItemprop(page: Document, name: string): string | null {
  return page.querySelector(`meta[itemprop="${name}"][content]`)?.getAttribute('content') ?? null
}

function textsOfItem(item: Item | undefined, ...names: string[]): string[] {
  return item ? names.flatMap((name) => textsOf(item, name)) : []
}

/** Names and titles only. An address in place of an author names nobody. */
function line(most: number, texts: readonly (string | null)[]): string | null {
  return firstParsed(texts, (text) => (webUrl(text.trim()) ? null : oneLine(text).slice(0, most).trim() || null))
}

function date(texts: readonly (string | null)[]): string | null {
  return firstParsed(texts, (text) => {
    const at = new Date(text.trim())
    return at.getFullYear() >= 1900 && at.getFullYear() < 2100 ? at.toISOString() : null
  })
}

/** The length of a video in seconds, from ISO 8601 (PT1H2M3S). */
export function durationOf(text: string): number | null {
  const [whole, hours = 0, minutes = 0, seconds = 0] =
    /^PT(?:(\d{1,3})H)?(?:(\d{1,5})M)?(?:(\d{1,6})(?:\.\d+)?S)?$/i.exec(text.trim()) ?? []
  const sum = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return whole === undefined || sum === 0 || sum >= 1e6 ? null : sum
}

function countOf(text: string): number | null {
  return /^\d{1,11}$/.test(text.trim()) ? Number(text) : null
}

function imagesOf(addresses: readonly (string | null)[], base: string): string[] {
  const urls = addresses.flatMap((address) => {
    const url = address && URL.canParse(address, base) ? webUrl(new URL(address, base).href) : null
    return url ? [urlToStore(url)] : []
  })
  return [...new Set(urls)].filter((url) => url.length <= URL_CHARACTERS).slice(0, MOST_IMAGES)
}
