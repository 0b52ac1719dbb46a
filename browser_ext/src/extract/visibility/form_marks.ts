// What the computed style says of the form of a text, and the tags do not.
import { BLOCKS } from '../blocks/text_of'
import type { Visibility } from './visibility'

/** The attribute of inline elements that the page shows as lines of their own. */
export const OWN_LINE = 'data-own-line'
/** The attribute of elements in which the ends of lines count. */
export const AS_WRITTEN = 'data-as-written'
/** The attribute of elements that stand in front of the page, or stay where they are while it scrolls. */
export const IN_FRONT = 'data-in-front'

const BLOCK_DISPLAY = /^(?:block|flex|grid|table|list-item|flow-root)/
const LINES_KEPT = /^(?:pre|break-spaces)/
const FEW_DIGITS = /^\s*[.,]?\d{1,3}\s*$/
const RAISED = new Set(['super', 'top', 'text-top'])
/** Of the size of the text around it. */
const RAISED_SIZE = 0.85
/** Longer alternative texts describe a picture to those who do not see it: others never read them. */
const ALTERNATIVE_CHARACTERS = 60

export function isOwnLine(element: Element, { style }: Visibility): boolean {
  return element.firstChild !== null && !BLOCKS.has(element.tagName) && BLOCK_DISPLAY.test(style.display)
}

export function isInFront({ style }: Visibility): boolean {
  return style.position === 'fixed' || style.position === 'sticky'
}

export function areLinesKept({ whiteSpace }: CSSStyleDeclaration): boolean {
  return LINES_KEPT.test(whiteSpace)
}

/** The cents of a price, or an exponent, in an element that is no SUP. */
export function isRaised(element: Element, { style }: Visibility, outer: Visibility): boolean {
  if (element.childElementCount > 0 || BLOCKS.has(element.tagName)) return false
  if (!FEW_DIGITS.test(element.textContent) || !RAISED.has(style.verticalAlign)) return false
  return Number.parseFloat(style.fontSize) < RAISED_SIZE * Number.parseFloat(outer.style.fontSize)
}

export function isTelling(alternative: string): boolean {
  return alternative.length <= ALTERNATIVE_CHARACTERS && !/\.(?:jpe?g|png|gif|webp|svg|avif)$/i.test(alternative)
}
