// The items of a page: JSON-LD, microdata and RDFa in one form.
import { asItem, DEEPEST, isOfType, MOST_ITEMS, valuesOf, type Item } from './item'
import { jsonLdOf } from './json_ld'
import { markupItemsOf } from './markup_items'

/** What wraps the items that a page is about. */
const INNER = ['@graph', 'mainEntity', 'about']

/** Every item of the page, outer ones first. */
export function itemsOf(page: Document): Item[] {
  const visited = new Set<unknown>()
  const items = flatten([...jsonLdOf(page), ...markupItemsOf(page)], visited, 0).slice(0, MOST_ITEMS)
  return items.flatMap((item) => [item, ...offeredItems(item)]).slice(0, MOST_ITEMS)
}

/** Items may lead back to each other: each counts once. */
function flatten(value: unknown, visited: Set<unknown>, depth: number): Item[] {
  if (depth > DEEPEST || typeof value !== 'object' || visited.has(value)) return []
  visited.add(value)
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).flatMap((entry) => flatten(entry, visited, depth + 1))
  const item = asItem(value)
  if (!item) return []
  return [item, ...INNER.flatMap((name) => flatten(item.properties.get(name), visited, depth + 1))]
}

/** An offer that names its product is that product with an offer. */
function offeredItems(item: Item): Item[] {
  if (!isOfType(item, /^(aggregate)?offer(ing)?$/)) return []
  return valuesOf(item, 'itemOffered').map(({ types, properties }) => ({
    types,
    properties: new Map([...properties, ['offers', item]]),
  }))
}
