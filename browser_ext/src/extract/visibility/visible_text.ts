// The visible text of one element, without copying the rest of the page.
import { oneLine } from '../plain_text'
import { shownChildren } from './visible_copy'
import { isTextSeen, visibilityOfPage, visibilityWithin, type Visibility } from './visibility'
import { textOf } from '../blocks/text_of'

const DEEPEST = 400

/** Return the visible text within the element, on one line. Empty if the element itself or all its text is hidden. */
export function visibleText(element: Element): string {
  const view = element.ownerDocument.defaultView
  const visibility = view && visibilityAt(element, view)
  if (!visibility) return ''
  const copy = element.ownerDocument.implementation.createHTMLDocument('').body
  collect(element, copy, visibility, view, 0)
  return oneLine(textOf(copy))
}

/** Goes through all displayed ancestors: a slot comes before the element that hosts it. */
export function visibilityAt(element: Element, view: Window): Visibility | null {
  const path: Element[] = []
  for (let ancestor: Element | null = element; ancestor; ancestor = outer(ancestor)) path.unshift(ancestor)
  let visibility: Visibility | null = visibilityOfPage(view, true)
  for (const ancestor of path) visibility = visibility && visibilityWithin(ancestor, visibility, view)
  return visibility
}

function outer(element: Element): Element | null {
  if (element.assignedSlot) return element.assignedSlot
  if (element.parentElement) return element.parentElement
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? root.host : null
}

/** Copies only elements that decide where lines end. */
function collect(from: Node, to: Element, visibility: Visibility, view: Window, depth: number): void {
  if (depth > DEEPEST) return
  for (const child of shownChildren(from)) {
    if (child.nodeType === Node.TEXT_NODE) {
      const text = child as Text
      if (text.data.trim() === '' || isTextSeen(text, visibility)) to.append(to.ownerDocument.createTextNode(text.data))
    } else if (child.nodeType === Node.ELEMENT_NODE) {
      const within = visibilityWithin(child as Element, visibility, view)
      if (within) collect(child, to.appendChild(boxLike(child as Element, to)), within, view, depth + 1)
    }
  }
}

function boxLike(element: Element, to: Element): Element {
  return to.ownerDocument.createElement(
    /^[a-z][a-z0-9]*$/.test(element.localName) && element.localName !== 'slot' ? element.localName : 'div',
  )
}
