// The items that a page's markup describes: microdata and RDFa, in one form.
import { asList, DEEPEST, lastPart, MOST_ITEMS, propertyName, type Item } from './item'

/** The attributes of a vocabulary. */
interface Attributes {
  scope: string
  type: string
  property: string
}

const MICRODATA: Attributes = { scope: 'itemscope', type: 'itemtype', property: 'itemprop' }
const RDFA: Attributes = { scope: 'typeof', type: 'typeof', property: 'property' }
/** Words for people, also where their element is a link. */
const IN_WORDS = /^(name|headline|price|lowPrice|highPrice|priceCurrency|sku|author|publisher|brand)$/
const MOST_PROPERTIES = 500

/** The outer items of the page, in page order. */
export function markupItemsOf(page: Document): Item[] {
  return [MICRODATA, RDFA].flatMap((attributes) => {
    const outer = [...page.querySelectorAll(`[${attributes.scope}]:not([${attributes.property}])`)]
    return outer.slice(0, MOST_ITEMS).map((element) => itemOf(element, attributes, 0))
  })
}

function itemOf(element: Element, attributes: Attributes, depth: number): Item {
  const { scope, type, property } = attributes
  const inside = [...element.querySelectorAll(`[${property}]`)].filter(
    (candidate) => candidate.parentElement?.closest(`[${scope}]`) === element,
  )
  const properties = new Map<string, unknown>()
  for (const holder of [...inside, ...referenced(element, attributes)].slice(0, MOST_PROPERTIES)) {
    for (const name of (holder.getAttribute(property) ?? '').split(/\s+/).filter(Boolean).map(propertyName)) {
      const value = valueOf(holder, name, attributes, depth)
      properties.set(name, [...(properties.has(name) ? asList(properties.get(name)) : []), value])
    }
  }
  return { types: (element.getAttribute(type) ?? '').split(/\s+/).filter(Boolean).map(lastPart), properties }
}

/** Microdata may stand elsewhere on the page. */
function referenced(element: Element, { property }: Attributes): Element[] {
  const ids = (element.getAttribute('itemref') ?? '').split(/\s+/).filter(Boolean).slice(0, DEEPEST)
  return ids.flatMap((id) => {
    const target = element.ownerDocument.getElementById(id)
    if (!target || target.contains(element)) return []
    const inside = [...target.querySelectorAll(`[${property}]`)].filter(
      (candidate) => !candidate.parentElement?.closest('[itemscope]'),
    )
    return target.hasAttribute(property) ? [target, ...inside] : inside
  })
}

function valueOf(element: Element, name: string, attributes: Attributes, depth: number): unknown {
  if (element.hasAttribute(attributes.scope) && depth < DEEPEST) return itemOf(element, attributes, depth + 1)
  const content = ['content', 'datetime', 'value'].map((attribute) => element.getAttribute(attribute))
  const text = element.textContent?.trim() ?? ''
  const address = ['resource', 'href', 'src'].map((attribute) => element.getAttribute(attribute))
  const values = IN_WORDS.test(name) ? [...content, text, ...address] : [...content, ...address, text]
  return values.find((value) => value !== null && value.trim() !== '') ?? ''
}
