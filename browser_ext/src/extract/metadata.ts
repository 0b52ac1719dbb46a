// The typed data that a page carries about itself. It is not shown to readers, so it never becomes part of the text.
import type { JsonValue, Metadata } from '../protocol.gen'

const MOST_BYTES = 60 * 1024
const MOST_OPEN_GRAPH = 60
const MOST_ITEMS = 40
const VALUE_CHARACTERS = 1_000
const OPEN_GRAPH = /^(og|article|product|book|profile|video|music):/

/** Returns null when the page has none, or more than may be sent. */
export function metadataOf(page: Document): Metadata | null {
  const whole = { json_ld: jsonLd(page), open_graph: openGraph(page), microdata: microdata(page) }
  const smaller = [whole, { ...whole, microdata: [] }, { ...whole, microdata: [], json_ld: [] }]
  const fitting = smaller.find((metadata) => asciiJsonBytes(metadata) <= MOST_BYTES)
  return fitting && !isEmpty(fitting) ? fitting : null
}

function isEmpty({ json_ld, open_graph, microdata }: Required<Metadata>): boolean {
  return json_ld.length === 0 && microdata.length === 0 && Object.keys(open_graph).length === 0
}

function jsonLd(page: Document): JsonValue[] {
  const scripts = [...page.querySelectorAll('script[type="application/ld+json" i]')]
  return scripts.flatMap((script) => parsedJson(script.textContent ?? ''))
}

/** A site's broken JSON-LD is a site's matter: it counts as none. */
function parsedJson(text: string): JsonValue[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : [value]
  } catch {
    return []
  }
}

function openGraph(page: Document): Record<string, JsonValue> {
  const found = [...page.querySelectorAll('meta[property][content]')]
    .map((meta) => [meta.getAttribute('property') ?? '', cut(meta.getAttribute('content'))] as const)
    .filter(([name]) => OPEN_GRAPH.test(name) && name.length < 100)
  return Object.fromEntries(found.slice(0, MOST_OPEN_GRAPH).reverse()) // the first of a name wins
}

function microdata(page: Document): JsonValue[] {
  const items = [...page.querySelectorAll('[itemscope]:not([itemprop])')]
  return items.slice(0, MOST_ITEMS).map((item) => itemOf(item, 0))
}

function itemOf(item: Element, depth: number): Record<string, JsonValue> {
  const properties = [...item.querySelectorAll('[itemprop]')].filter((element) => ownerOf(element) === item)
  const values = properties.map((element) => [element.getAttribute('itemprop') ?? '', valueOf(element, depth)] as const)
  return { type: cut(item.getAttribute('itemtype')), properties: Object.fromEntries(values) }
}

function ownerOf(property: Element): Element | null {
  return property.parentElement?.closest('[itemscope]') ?? null
}

function valueOf(property: Element, depth: number): JsonValue {
  if (property.hasAttribute('itemscope') && depth < 3) return itemOf(property, depth + 1)
  const address = property.getAttribute('href') ?? property.getAttribute('src')
  return cut(property.getAttribute('content') ?? property.getAttribute('datetime') ?? address ?? property.textContent)
}

function cut(text: string | null): string {
  return (text ?? '').replace(/\s+/g, ' ').trim().slice(0, VALUE_CHARACTERS)
}

/** The size as the server measures it: JSON that is ASCII, with a space after each comma and colon. */
export function asciiJsonBytes(value: Metadata): number {
  const text = JSON.stringify(value)
  const escaped = [...text.matchAll(/[^\0-\x7f]/g)].length * 5
  const spaces = [...text.matchAll(/[,:]/g)].length
  return text.length + escaped + spaces
}
