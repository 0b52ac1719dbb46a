// The data that a page's own scripts start from: `__NEXT_DATA__`, `__NUXT_DATA__`, `__INITIAL_STATE__`, `dataLayer` and
// their like. It holds whatever the shop's programmers like, so it counts only for the thing with the page's name, and
// a price only if the page shows it.
import { textOf } from '../blocks/text_of'
import { parseForgiving } from './json_ld'
import type { Offer } from './offers'
import { nameLikeness, type Identity } from './own_item'
import { struckAmounts } from './struck'
import { availabilityOf, priceOf } from './values'

type Node = Record<string, unknown>

const ALL_CHARACTERS = 3_000_000
const MENDED_CHARACTERS = 10_000
const MOST_VALUES = 60
const MOST_NODES = 30_000
const MOST_ENTRIES = 1_000
/** How far below the thing itself its price may stand. */
const LEVELS = 4
const SAME_NAME = 0.9
const STARTS = /(?:[\w$\]'"]\s{0,9}=|\bpush\(|["'](?:view_item|ViewContent)["'],)\s{0,9}(?=[[{])/g
const ESCAPED = /JSON\.parse\(\s{0,9}("(?:[^"\\]|\\.){2,}")\s{0,9}\)/g
const FLIGHT = /__next_f\.push\((\[1,\s{0,3}"(?:[^"\\]|\\.)*"\])\)/g
const NAMES = ['name', 'title', 'productName', 'product_name', 'item_name', 'displayName', 'content_name']
const NOW =
  /^(sale|special|current|final|selling|offer|discounted|actual|now|promo|reduced)_?price(_?(value|amount))?$/i
const PLAIN = /^(price|(unit|gross)_?price|price_?(value|amount)|value|amount|current)$/i
const OLD = /old|was|list|regular|original|msrp|rrp|strike|compare|before|tax|unit_?measure|base|shipping|per_?/i
const CURRENCY = /^(price_?)?currency(_?(code|iso|id))?$/i
const IS_THERE = /^(is_?)?(available|in_?stock|available_?for_?sale|purchasable|salable)$/i
const IS_GONE = /^(is_?)?(out_?of_?stock|sold_?out|unavailable)$/i
const STOCK = /^(availability|stock|inventory|availability_?status|stock_?(level_?)?status|inventory_?status)$/i
const NUMBER = /\p{Nd}(?:[\p{Nd}.,'’٫٬\s]{0,22}\p{Nd})?/gu

/** One offer, or none. */
export function stateOffers(page: Document, identity: Identity): Offer[] {
  const things = namesakes(stateValues(page), identity)
  if (things.length === 0) return []
  const amounts = shownAmounts(page)
  for (const thing of things) {
    const price = priceIn(thing, amounts)
    if (price !== null) return [{ '@type': 'Offer', price, ...currencyIn(thing), ...availabilityIn(thing) }]
  }
  return things.map((thing): Offer => ({ '@type': 'Offer', ...availabilityIn(thing) })).slice(0, 1)
}

function stateValues(page: Document): unknown[] {
  let characters = ALL_CHARACTERS
  const budget = { characters: MENDED_CHARACTERS }
  return [...page.querySelectorAll('script:not([src]):not([type*="ld+json" i])')]
    .flatMap((script) => {
      const text = script.textContent ?? ''
      if ((characters -= text.length) < 0 || !/price/i.test(text)) return []
      const isData = /json/i.test(script.getAttribute('type') ?? '')
      return isData ? [wholeValue(text)] : valuesIn(text, budget)
    })
    .slice(0, MOST_VALUES)
}

/** Nuxt writes a list in which numbers are places of the list. */
function wholeValue(text: string): unknown {
  const value = parseForgiving(text, { characters: 0 })
  if (!Array.isArray(value) || !value.some((entry) => typeof entry === 'object')) return value
  const list: readonly unknown[] = value
  const at = (entry: unknown) => (typeof entry === 'number' && entry in list ? list[entry] : entry)
  for (const entry of list) {
    if (isNode(entry)) for (const [name, inner] of Object.entries(entry)) entry[name] = at(inner)
    else if (Array.isArray(entry)) entry.splice(0, entry.length, ...entry.slice(0, MOST_ENTRIES).map(at))
  }
  return value
}

function valuesIn(script: string, budget: { characters: number }): unknown[] {
  const flight = [...script.matchAll(FLIGHT)].flatMap(([, list = '']) => {
    const [, lines] = (parseForgiving(list, { characters: 0 }) ?? []) as unknown[]
    return typeof lines === 'string' ? lines.split('\n').map((text) => text.replace(/^[\da-f]{0,8}:/, '')) : []
  })
  const escaped = [...script.matchAll(ESCAPED)].map(([, literal = '']) => parseForgiving(literal, { characters: 0 }))
  const texts = [...flight, ...escaped.filter((text) => typeof text === 'string'), ...literals(script)]
  return texts.filter((text) => /price/i.test(text)).map((text) => parseForgiving(text, budget))
}

/** The objects and lists that a script assigns or hands on. */
function literals(script: string): string[] {
  const texts: string[] = []
  STARTS.lastIndex = 0
  while (texts.length < MOST_VALUES && STARTS.exec(script)) {
    const start = STARTS.lastIndex
    const end = endOf(script, start)
    if (end === null) break
    texts.push(script.slice(start, end))
    STARTS.lastIndex = end
  }
  return texts
}

/** Where the bracket at `start` closes. */
function endOf(script: string, start: number): number | null {
  const marks = /["'`\\[\]{}]/g
  let quote = ''
  let depth = 0
  marks.lastIndex = start
  for (let match = marks.exec(script); match; match = marks.exec(script)) {
    const [mark] = match
    if (mark === '\\') marks.lastIndex++
    else if (quote) quote = mark === quote ? '' : quote
    else if (/["'`]/.test(mark)) quote = mark
    else if ((depth += /[[{]/.test(mark) ? 1 : -1) === 0) return marks.lastIndex
  }
  return null
}

/** The objects with the page's name. */
function namesakes(values: readonly unknown[], identity: Identity): Node[] {
  return nodesOf(values, MOST_NODES).filter((node) =>
    NAMES.some((name) => {
      const text = node[name]
      return typeof text === 'string' && nameLikeness(text, identity) >= SAME_NAME
    }),
  )
}

/** Objects in a tree that may have cycles, outer ones first. */
function nodesOf(values: readonly unknown[], most: number, levels = Infinity): Node[] {
  const nodes = new Set<Node>()
  const visited = new Set<unknown>()
  let level = values
  for (let depth = 0; depth < levels && level.length > 0 && visited.size < most; depth++) {
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null || visited.has(value) || visited.size >= most) continue
      visited.add(value)
      if (isNode(value)) nodes.add(value)
      for (const inner of Object.values(value).slice(0, MOST_ENTRIES)) next.push(inner)
    }
    level = next
  }
  return [...nodes]
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Of the nearest level with prices that are shown the one price, if it is one. */
function priceIn(thing: Node, amounts: ReadonlySet<number>): string | null {
  let level: [string, unknown][] = Object.entries(thing)
  for (let depth = 0; depth < LEVELS; depth++) {
    for (const names of [NOW, PLAIN]) {
      const prices = level.filter(([name]) => names.test(name)).flatMap(([, value]) => amountOf(value, amounts))
      if (prices.length > 0) return new Set(prices).size === 1 ? (prices[0] ?? null) : null
    }
    level = entriesWithin(level.filter(([name]) => !OLD.test(name)).map(([, value]) => value))
  }
  return null
}

/** The entries of objects, and of those in lists. */
function entriesWithin(values: readonly unknown[]): [string, unknown][] {
  const entries: [string, unknown][] = []
  for (const value of values) {
    for (const node of Array.isArray(value) ? (value.slice(0, MOST_ENTRIES) as unknown[]) : [value]) {
      if (entries.length >= MOST_ENTRIES) return entries
      if (isNode(node)) for (const entry of Object.entries(node).slice(0, MOST_ENTRIES)) entries.push(entry)
    }
  }
  return entries
}

/** As the page shows it: data often counts in cents. */
function amountOf(value: unknown, amounts: ReadonlySet<number>): string[] {
  if (typeof value !== 'number' && typeof value !== 'string') return []
  const price = Number(priceOf(String(value)) ?? NaN)
  const ways = Number.isInteger(price) && price >= 100 ? [price, price / 100] : [price]
  return ways
    .filter((way) => way > 0 && amounts.has(way))
    .map(String)
    .slice(0, 1)
}

function shownAmounts(page: Document): ReadonlySet<number> {
  const amounts = new Set<number>()
  for (const [amount] of (page.body ? textOf(page.body) : '').matchAll(NUMBER))
    amounts.add(Number(priceOf(amount) ?? NaN))
  for (const amount of struckAmounts(page)) amounts.delete(Number(priceOf(amount) ?? NaN))
  return amounts
}

function currencyIn(thing: Node): Pick<Offer, 'priceCurrency'> {
  const texts = nodesOf([thing], MOST_ENTRIES, LEVELS).flatMap((node) =>
    Object.entries(node).flatMap(([name, value]) => (CURRENCY.test(name) && typeof value === 'string' ? [value] : [])),
  )
  const code = texts.find((text) => /^[A-Za-z]{3}$/.test(text))
  return code ? { priceCurrency: code } : {}
}

/** There if one of its variants is there. */
function availabilityIn(thing: Node): Pick<Offer, 'availability'> {
  const entries = [
    ...Object.entries(thing),
    ...entriesWithin(['variants', 'skus', 'offers'].map((name) => thing[name])),
  ]
  const states = new Set(
    entries.flatMap(([name, value]) => {
      if (typeof value === 'boolean') return IS_THERE.test(name) ? [value] : IS_GONE.test(name) ? [!value] : []
      const stock = STOCK.test(name) && typeof value === 'string' ? availabilityOf(value) : null
      return stock ? [stock === 'in_stock' || stock === 'limited'] : []
    }),
  )
  return states.size === 0 ? {} : { availability: states.has(true) ? 'InStock' : 'OutOfStock' }
}
