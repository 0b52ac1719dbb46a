// Metadata of a page as typed values: title, names, dates, price, and offers if one price does not suffice. Readers do
// not see metadata, so it never becomes part of the text. Nothing else of a page's JSON leaves the browser.
import { urlToStore, webUrl } from '../../grants/hosts'
import type { Metadata } from '../../protocol.gen'
import { itemsOf, textsOf, valuesOf, type Item } from './metadata_items'
import { offersOf } from './offers'
import { oneLine } from '../plain_text'
import { struckAmounts } from './struck'

const TITLE_CHARACTERS = 300
const SITE_CHARACTERS = 100
const AUTHOR_CHARACTERS = 200
const URL_CHARACTERS = 2_000
const MOST_IMAGES = 8

/** The first kind that matches decides. */
const KINDS: [NonNullable<Metadata['kind']>, RegExp][] = [
  ['product', /^(product|productgroup|individualproduct|book|car)$/],
  ['recipe', /^recipe$/],
  ['video', /^(video|videoobject|movie)(\.|$)/],
  ['article', /article$|^(blogposting|report|socialmediaposting)$/],
]
const AVAILABILITIES: Record<string, NonNullable<Metadata['availability']>> = {
  instock: 'in_stock',
  instoreonly: 'in_stock',
  onlineonly: 'in_stock',
  limitedavailability: 'limited',
  outofstock: 'out_of_stock',
  soldout: 'out_of_stock',
  preorder: 'pre_order',
  presale: 'pre_order',
  backorder: 'back_order',
  discontinued: 'discontinued',
}

/** Null if the page has no metadata. */
export function metadataOf(page: Document): Metadata | null {
  const open = openGraph(page)
  const items = itemsOf(page)
  const [kind, item] = mainOf(items, open('og:type'))
  const offer = item && (valuesOf(item, 'offers')[0] ?? item)
  const metadata = {
    kind,
    title: line(TITLE_CHARACTERS, [open('og:title'), ...textsOfItem(item, 'headline', 'name')]),
    site_name: line(SITE_CHARACTERS, [open('og:site_name'), ...textsOfItem(item, 'publisher')]),
    author: line(AUTHOR_CHARACTERS, [...textsOfItem(item, 'author', 'creator'), metaByName(page, 'author')]),
    published: date([...textsOfItem(item, 'datePublished', 'uploadDate'), open('article:published_time')]),
    modified: date([...textsOfItem(item, 'dateModified'), open('article:modified_time')]),
    price: firstParsed(
      [...textsOfItem(offer, 'price', 'lowPrice'), open('product:price:amount'), open('og:price:amount')],
      priceOf,
    ),
    currency: firstParsed(
      [...textsOfItem(offer, 'priceCurrency'), open('product:price:currency'), open('og:price:currency')],
      currencyOf,
    ),
    availability: firstParsed(
      [...textsOfItem(offer, 'availability'), open('product:availability'), open('og:availability')],
      availabilityOf,
    ),
    seconds: firstParsed([...textsOfItem(item, 'duration'), textByItemprop(page, 'duration')], durationOf),
    views: firstParsed([...textsOfItem(item, 'interactionCount'), textByItemprop(page, 'interactionCount')], countOf),
    struck: struckAmounts(page),
    images: imagesOf([open('og:image'), ...textsOfItem(item, 'image', 'thumbnailUrl')], page.baseURI),
  }
  const offers = offersOf(item)
  if (item && offers && (offers.length > 1 || metadata.price === null)) {
    Object.assign(metadata, {
      json_ld: [{ '@type': 'Product', ...(metadata.title && { name: metadata.title }), offers }],
    })
  }
  const present = Object.entries(metadata).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== null,
  )
  return present.length > 0 ? Object.fromEntries(present) : null
}

/** The kind of the page, and the item that describes it. */
function mainOf(
  items: readonly Item[],
  openGraphType: string | null,
): [(Metadata['kind'] & string) | null, Item | undefined] {
  for (const [kind, types] of KINDS) {
    const item = items.find((candidate) => candidate.types.some((type) => types.test(type.toLowerCase())))
    if (item) return [kind, item]
  }
  const [kind = null] = KINDS.find(([, types]) => types.test((openGraphType ?? '').toLowerCase())) ?? []
  return [kind, undefined]
}

function openGraph(page: Document): (name: string) => string | null {
  return (name) => page.querySelector(`meta[property="${name}"][content]`)?.getAttribute('content') ?? null
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

function firstParsed<Value>(texts: readonly (string | null)[], parse: (text: string) => Value | null): Value | null {
  for (const text of texts) {
    const value = text === null ? null : parse(text)
    if (value !== null) return value
  }
  return null
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

/** Digits with a point before the cents, from any notation. An ambiguous price is left out. */
export function priceOf(text: string): string | null {
  const trimmed = text.trim()
  if (/^\d{1,3}(,\d{3})+(\.\d{1,4})?$/.test(trimmed)) return trimmed.replaceAll(',', '')
  const plain = /^\d+,\d{1,2}$/.test(trimmed) ? trimmed.replace(',', '.') : trimmed
  return /^\d{1,9}(\.\d{1,4})?$/.test(plain) ? plain : null
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

function currencyOf(text: string): string | null {
  const code = text.trim().toUpperCase()
  return /^[A-Z]{3}$/.test(code) ? code : null
}

function availabilityOf(text: string): (Metadata['availability'] & string) | null {
  const word =
    text
      .trim()
      .toLowerCase()
      .split('/')
      .at(-1)
      ?.replace(/[^a-z]/g, '') ?? ''
  return AVAILABILITIES[word] ?? null
}

function imagesOf(addresses: readonly (string | null)[], base: string): string[] {
  const urls = addresses.flatMap((address) => {
    const url = address && URL.canParse(address, base) ? webUrl(new URL(address, base).href) : null
    return url ? [urlToStore(url)] : []
  })
  return [...new Set(urls)].filter((url) => url.length <= URL_CHARACTERS).slice(0, MOST_IMAGES)
}
