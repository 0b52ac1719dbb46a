// A thing that a page describes, whichever way. The page wrote it: values are parsed, never passed on unchanged.

export interface Item {
  types: string[]
  /** By name. Values are texts, numbers, items, or lists of these. */
  properties: ReadonlyMap<string, unknown>
}

export const MOST_ITEMS = 200
export const DEEPEST = 6
const VALUE_CHARACTERS = 2_000
const MOST_TEXTS = 20
/** Names of older vocabularies. */
const ALIASES: Record<string, string> = {
  offerDetails: 'offers',
  hasPriceSpecification: 'priceSpecification',
  hasCurrencyValue: 'price',
  hasCurrency: 'priceCurrency',
  currency: 'priceCurrency',
}

/** The items under a name. */
export function valuesOf(item: Item, name: string): Item[] {
  return asList(item.properties.get(name)).flatMap((value) => asItem(value) ?? [])
}

/** The texts under a name. An item stands for its value, its name or its address. */
export function textsOf(item: Item, name: string): string[] {
  const values = asList(item.properties.get(name)).slice(0, MOST_TEXTS)
  return values.flatMap((value) => {
    if (typeof value === 'string') return [value.slice(0, VALUE_CHARACTERS)]
    if (typeof value === 'number') return [String(value)]
    const inner = asItem(value)
    if (!inner) return []
    const { properties } = inner
    const texts = ['@value', 'name', 'url', '@id'].map((key) => properties.get(key))
    return texts.flatMap((text) => (isPlain(text) ? [String(text).slice(0, VALUE_CHARACTERS)] : [])).slice(0, 1)
  })
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

export function isOfType(item: Item, types: RegExp): boolean {
  return item.types.some((type) => types.test(type.toLowerCase()))
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, MOST_ITEMS) : [value]
}

export function asItem(value: unknown): Item | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  if (isItem(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [propertyName(name), inner] as const)
  const properties = new Map<string, unknown>(entries)
  const types = asList(properties.get('@type')).filter((type) => typeof type === 'string')
  return { types: types.map(lastPart), properties }
}

function isItem(value: object): value is Item {
  return 'properties' in value && value.properties instanceof Map
}

/** `schema:price` and `http://schema.org/price` are `price`. */
export function propertyName(name: string): string {
  const plain = lastPart(name)
  return Object.hasOwn(ALIASES, plain) ? (ALIASES[plain] ?? plain) : plain
}

export function lastPart(type: string): string {
  return type.split(/[/#:]/).at(-1) ?? type
}
