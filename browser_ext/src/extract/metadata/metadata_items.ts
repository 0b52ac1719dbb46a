// JSON-LD and microdata in one form. The page wrote them: values are parsed, never passed on unchanged.

export interface Item {
  types: string[]
  /** By name. Values are texts, numbers, items, or lists of these. */
  properties: ReadonlyMap<string, unknown>
}

const MOST_ITEMS = 200
const DEEPEST = 6
const VALUE_CHARACTERS = 2_000

/** Every item of the page, outer ones first. */
export function itemsOf(page: Document): Item[] {
  const scripts = [...page.querySelectorAll('script[type="application/ld+json" i]')]
  const fromJson = scripts.flatMap((script) => flatten(parsedJson(script.textContent ?? ''), 0))
  const fromMarkup = [...page.querySelectorAll('[itemscope]:not([itemprop])')].map((element) => microdata(element, 0))
  return [...fromJson, ...fromMarkup].slice(0, MOST_ITEMS)
}

/** The items under a name. */
export function valuesOf(item: Item, name: string): Item[] {
  return asList(item.properties.get(name)).flatMap((value) => asItem(value) ?? [])
}

/** The texts under a name. An item stands for its name or its address. */
export function textsOf(item: Item, name: string): string[] {
  return asList(item.properties.get(name)).flatMap((value) => {
    if (typeof value === 'string') return [value.slice(0, VALUE_CHARACTERS)]
    if (typeof value === 'number') return [String(value)]
    const inner = asItem(value)
    return inner
      ? [inner.properties.get('name'), inner.properties.get('url')]
          .filter((text) => typeof text === 'string')
          .slice(0, 1)
      : []
  })
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, MOST_ITEMS) : [value]
}

function asItem(value: unknown): Item | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  if (isItem(value)) return value
  const properties = new Map<string, unknown>(Object.entries(value))
  const types = asList(properties.get('@type')).filter((type) => typeof type === 'string')
  return { types: types.map(lastPart), properties }
}

function isItem(value: object): value is Item {
  return 'properties' in value && value.properties instanceof Map
}

function flatten(value: unknown, depth: number): Item[] {
  if (Array.isArray(value))
    return depth < DEEPEST ? value.slice(0, MOST_ITEMS).flatMap((entry) => flatten(entry, depth + 1)) : []
  const item = asItem(value)
  if (!item) return []
  return depth < DEEPEST
    ? [
        item,
        ...flatten(item.properties.get('@graph'), depth + 1),
        ...flatten(item.properties.get('mainEntity'), depth + 1),
      ]
    : [item]
}

/** Broken JSON-LD counts as none. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function microdata(element: Element, depth: number): Item {
  const inside = [...element.querySelectorAll('[itemprop]')].filter(
    (property) => property.parentElement?.closest('[itemscope]') === element,
  )
  const properties = new Map<string, unknown>()
  for (const property of inside.slice(0, MOST_ITEMS)) {
    const name = property.getAttribute('itemprop') ?? ''
    properties.set(name, [...(properties.has(name) ? asList(properties.get(name)) : []), valueOf(property, depth)])
  }
  return { types: (element.getAttribute('itemtype') ?? '').split(/\s+/).filter(Boolean).map(lastPart), properties }
}

function valueOf(element: Element, depth: number): unknown {
  if (element.hasAttribute('itemscope') && depth < DEEPEST) return microdata(element, depth + 1)
  const address = element.getAttribute('href') ?? element.getAttribute('src')
  return element.getAttribute('content') ?? element.getAttribute('datetime') ?? address ?? element.textContent ?? ''
}

function lastPart(type: string): string {
  return type.split(/[/#:]/).at(-1) ?? type
}
