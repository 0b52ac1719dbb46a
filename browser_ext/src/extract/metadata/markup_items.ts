// The items that a page's markup describes: microdata and RDFa, in one form.
import { asList, DEEPEST, lastPart, MOST_ITEMS, propertyName, type Item } from './item'
import { shortText } from './short_text'

/** The attributes of a vocabulary. */
interface Attributes {
  scope: string
  type: string
  property: string
}

/** The elements with a property within each item, and how many may still be read. */
interface Holders {
  of: ReadonlyMap<Element | null, Element[]>
  budget: number
}

const MICRODATA: Attributes = { scope: 'itemscope', type: 'itemtype', property: 'itemprop' }
const RDFA: Attributes = { scope: 'typeof', type: 'typeof', property: 'property' }
/** Words for people, also where their element is a link. */
const IN_WORDS = /^(name|headline|price|lowPrice|highPrice|priceCurrency|sku|author|publisher|brand)$/
/** Of all items of a vocabulary together. */
const MOST_PROPERTIES = 3_000
const TEXT_CHARACTERS = 2_000

/** The outer items of the page, in page order. */
export function markupItemsOf(page: Document): Item[] {
  return [MICRODATA, RDFA].flatMap((attributes) => {
    const { scope, property } = attributes
    const holders: Holders = { of: holdersOf(page, attributes), budget: MOST_PROPERTIES }
    const outer = [...page.querySelectorAll(`[${scope}]:not([${property}])`)]
    return outer.slice(0, MOST_ITEMS).map((element) => itemOf(element, attributes, holders, 0))
  })
}

function holdersOf(page: Document, { scope, property }: Attributes): Map<Element | null, Element[]> {
  const holders = new Map<Element | null, Element[]>()
  for (const holder of [...page.querySelectorAll(`[${property}]`)].slice(0, MOST_PROPERTIES)) {
    const owner = holder.parentElement?.closest(`[${scope}]`) ?? null
    const ofOwner = holders.get(owner)
    if (ofOwner) ofOwner.push(holder)
    else holders.set(owner, [holder])
  }
  return holders
}

function itemOf(element: Element, attributes: Attributes, holders: Holders, depth: number): Item {
  const properties = new Map<string, unknown>()
  for (const holder of [...(holders.of.get(element) ?? []), ...referenced(element, holders)]) {
    if (holders.budget-- <= 0) break
    for (const name of (holder.getAttribute(attributes.property) ?? '')
      .split(/\s+/)
      .filter(Boolean)
      .map(propertyName)) {
      const value = valueOf(holder, name, attributes, holders, depth)
      properties.set(name, [...(properties.has(name) ? asList(properties.get(name)) : []), value])
    }
  }
  return { types: (element.getAttribute(attributes.type) ?? '').split(/\s+/).filter(Boolean).map(lastPart), properties }
}

/** Microdata may stand elsewhere on the page. */
function referenced(element: Element, holders: Holders): Element[] {
  const ids = (element.getAttribute('itemref') ?? '').split(/\s+/).filter(Boolean).slice(0, DEEPEST)
  const targets = ids.flatMap((id) => element.ownerDocument.getElementById(id) ?? [])
  const outside = holders.of.get(null) ?? []
  return targets
    .filter((target) => !target.contains(element))
    .flatMap((target) => outside.filter((holder) => target.contains(holder)))
}

function valueOf(element: Element, name: string, attributes: Attributes, holders: Holders, depth: number): unknown {
  if (element.hasAttribute(attributes.scope) && depth < DEEPEST) return itemOf(element, attributes, holders, depth + 1)
  const content = ['content', 'datetime', 'value'].map((attribute) => element.getAttribute(attribute))
  const text = shortText(element, TEXT_CHARACTERS).trim()
  const address = ['resource', 'href', 'src'].map((attribute) => element.getAttribute(attribute))
  const values = IN_WORDS.test(name) ? [...content, text, ...address] : [...content, ...address, text]
  return values.find((value) => value !== null && value.trim() !== '') ?? ''
}
