// The visible text of one element, without copying the rest of the page.
import { oneLine } from '../plain_text'
import { shadowOf } from '../shadow_roots'
import { shownChildren } from './visible_copy'
import { isTextSeen, visibilityOfPage, visibilityWithin, type Visibility } from './visibility'
import { textOf } from '../blocks/text_of'

const DEEPEST = 400
/** A document without a window for the copies of each page: making one takes longer than most texts. */
const inertDocuments = new WeakMap<Document, Document>()

/** Return the visible text within the element, on one line. Empty if the element itself or all its text is hidden. */
export function visibleText(element: Element): string {
  if (!element.firstChild && element.localName !== 'slot' && !shadowOf(element)) return ''
  const view = element.ownerDocument.defaultView
  const visibility = view && visibilityAt(element, view)
  if (!visibility) return ''
  const copy = inertDocumentOf(element.ownerDocument).createElement('body')
  collect(element, copy, visibility, view, 0)
  return oneLine(textOf(copy))
}

function inertDocumentOf(page: Document): Document {
  const inert = inertDocuments.get(page) ?? page.implementation.createHTMLDocument('')
  inertDocuments.set(page, inert)
  return inert
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
