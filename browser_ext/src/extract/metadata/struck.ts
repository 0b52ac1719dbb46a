// The amounts that a page shows struck out: old prices. The page's text does not say that, so they go beside it.
import { textOf } from '../blocks/text_of'
import { shortText } from './short_text'

const MOST_AMOUNTS = 24
const MOST_ELEMENTS = 2_000
/** A price whose parts are elements of their own lies so many levels below the one with the style. */
const LEVELS = 4
const TEXT_CHARACTERS = 200
/** A longer element is no price. */
const ELEMENT_CHARACTERS = 4_000
const STRUCK_ELEMENTS = 'del, s, strike'
/** Digits and what groups them. No words fit in. */
const AMOUNT = /\p{Nd}(?:[\p{Nd}.,'’٫٬\s]{0,22}\p{Nd})?/gu
const DIGIT = /\p{Nd}/u

/** As the page's text writes them, each once, without their currency. */
export function struckAmounts(page: Document): string[] {
  const amounts = new Set<string>()
  for (const element of struckElements(page)) {
    const beginning = shortText(element, ELEMENT_CHARACTERS)
    if (beginning.length === ELEMENT_CHARACTERS || !DIGIT.test(beginning)) continue
    const text = textOf(element).replaceAll('\n', ' ').slice(0, TEXT_CHARACTERS)
    for (const [amount] of text.matchAll(AMOUNT)) if (amounts.size < MOST_AMOUNTS) amounts.add(amount)
    if (amounts.size === MOST_AMOUNTS) break
  }
  return [...amounts]
}

function struckElements(page: Document): Element[] {
  const elements = [...page.querySelectorAll(STRUCK_ELEMENTS)].slice(0, MOST_ELEMENTS)
  return [...new Set([...elements, ...struckByStyle(page)])].filter(isShown)
}

function* struckByStyle(page: Document): Generator<Element> {
  const view = page.defaultView
  if (!view || !page.body) return
  const looked = new Map<Element, boolean>()
  const isStruck = (element: Element) => {
    const isLine = looked.get(element) ?? view.getComputedStyle(element).textDecoration.includes('line-through')
    looked.set(element, isLine)
    return isLine
  }
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node && looked.size < MOST_ELEMENTS; node = walker.nextNode()) {
    if (!DIGIT.test(node.nodeValue ?? '')) continue
    let element = node.parentElement
    for (let level = 0; element && level < LEVELS; level++, element = element.parentElement)
      if (isStruck(element)) yield element
  }
}

/** What nobody sees strikes nothing out: shops keep prices of other variants ready. */
function isShown(element: Element): boolean {
  return typeof element.checkVisibility !== 'function' || element.checkVisibility()
}
