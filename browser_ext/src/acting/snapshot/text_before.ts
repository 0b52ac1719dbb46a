// What stands before a field that its page gives no name.
import { visibleText } from '../../extract/visibility/visible_text'

const SIBLINGS_MOST = 3
const ANCESTORS_MOST = 2
const CHARACTERS_MOST = 60

/** Return the nearest words before the field, or ''. */
export function textBefore(field: Element): string {
  let from: Element | null = field
  for (let level = 0; from && level <= ANCESTORS_MOST; level++, from = from.parentElement) {
    const words = wordsBefore(from)
    if (words) return words
  }
  return ''
}

function wordsBefore(element: Element): string {
  let before = element.previousSibling
  for (let count = 0; before && count < SIBLINGS_MOST; before = before.previousSibling) {
    const words =
      before instanceof Element
        ? shortText(before)
        : before.nodeType === Node.TEXT_NODE
          ? (before.nodeValue ?? '').trim()
          : ''
    if (words) return words.length <= CHARACTERS_MOST ? words : ''
    if (before instanceof Element) count++
  }
  return ''
}

/** A form that comes before is no label. */
function shortText(element: Element): string {
  if (element.matches('input, select, textarea, button')) return ''
  return element.textContent.trim().length <= 4 * CHARACTERS_MOST ? visibleText(element) : ''
}
