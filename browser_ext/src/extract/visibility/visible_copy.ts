// A copy of the page with only its visible parts. Every later step works on this copy.
import { loadingCoverOf } from './loading_cover'
import { CLOSED } from '../blocks/blocks'
import { areLinesKept, AS_WRITTEN, IN_FRONT, isInFront, isOwnLine, isRaised, isTelling, OWN_LINE } from './form_marks'
import { openersOf, type Openers } from './collapsed_parts'
import {
  isPictureSeen,
  isTextSeen,
  visibilityInFrame,
  visibilityOfClosed,
  visibilityOfPage,
  visibilityWithin,
  type Visibility,
} from './visibility'

/** No page for people is nested deeper. */
const DEEPEST = 800
/** Yield only after so many nodes: a pause takes time too. */
const PAUSE = 8
/** A page may replace its elements during the copy. Then it is copied again, at most so often. */
const COPIES_MOST = 3
const KEPT_ATTRIBUTES = new Set(
  'class id href src role rel lang dir datetime itemprop itemscope itemtype colspan rowspan start value reversed'.split(
    ' ',
  ),
)
/** Kept where the value is a number: how deep or well rated a post is. */
const NUMBERS = new Set('depth score indent width aria-level data-depth data-score'.split(' '))
const NUMBER = /^-?\d{1,9}$/

const FRAMES = new Set(['iframe', 'frame'])
/** Elements that mean something without words. */
const TELLING = new Set(['br', 'hr', 'img', 'td', 'th'])
const PLAIN = new Set(['slot', 'noscript'])
const SUMMARY = ':scope > summary:first-of-type'

/** Work left to do: children, and the element to copy them into. */
interface Pending {
  children: ArrayIterator<Node>
  to: Element
  visibility: Visibility
  view: Window
  inFrame: boolean
  depth: number
  look: Look
}

interface Look {
  /** Collapsed parts to copy all the same: a click shows them. */
  isOpened: Openers
  /** The element that hides nearly all of the page. */
  cover: Element | null
  /** Filled here: elements of which nothing is visible. */
  unseen: Set<Element>
}

type Where = Pick<Pending, 'view' | 'inFrame' | 'depth' | 'look'>

/**
 * Titles, labels, data attributes and long alternative texts are not copied: nobody sees them. Short alternative texts
 * of visible pictures are, for pictures that stand for a word.
 */
export function visibleDocument(page: Document): Generator<undefined, Document> {
  return copyOf(page, { isOpened: () => false, cover: null, unseen: new Set() })
}

/**
 * Also copies collapsed parts that a visible control opens, and the part behind a loading cover. Returns whether there
 * was a cover.
 */
export function* readableDocument(page: Document): Generator<undefined, { visible: Document; isBehindCover: boolean }> {
  const isOpened = openersOf(page)
  const unseen = new Set<Element>()
  const visible = yield* copyOf(page, { isOpened, cover: null, unseen })
  const cover = loadingCoverOf(page, visible.body, unseen)
  if (!cover) return { visible, isBehindCover: false }
  return { visible: yield* copyOf(page, { isOpened, cover, unseen }), isBehindCover: true }
}

function* copyOf(page: Document, look: Look): Generator<undefined, Document> {
  for (let copies = 1; ; copies++) {
    look.unseen.clear()
    const { into, isWhole } = yield* copyPage(page, look)
    if (isWhole || copies === COPIES_MOST) return into
  }
}

/** `isWhole`: the page removed nothing that was still to be copied. */
function* copyPage(page: Document, look: Look): Generator<undefined, { into: Document; isWhole: boolean }> {
  const view = page.defaultView
  if (!view) throw new Error('only a page that is shown can be looked at')
  const into = page.implementation.createHTMLDocument(page.title)
  addBase(into, page.baseURI)
  const where = { view, inFrame: false, depth: 0, look }
  let isWhole = true
  const stack = page.body
    ? pending(page.body, into.body, bodyVisibility(page, visibilityOfPage(view), where), where)
    : []
  for (let top = stack.at(-1), count = 1; top; top = stack.at(-1), count++) {
    if (count % PAUSE === 0) yield
    const { value: child, done } = top.children.next()
    if (!done) isWhole &&= child.isConnected
    if (done) stack.pop()
    else if (child.nodeType === Node.TEXT_NODE) copyText(child as Text, top)
    else if (isElement(child)) stack.push(...copyElement(child, top))
  }
  return { into, isWhole }
}

function addBase(into: Document, href: string): void {
  const base = into.createElement('base')
  base.href = href
  into.head.append(base)
}

function bodyVisibility(page: Document, outer: Visibility, where: Where): Visibility | null {
  const root = visibilityOf(page.documentElement, outer, where)
  return root && visibilityOf(page.body, root, where)
}

function visibilityOf(element: Element, outer: Visibility, { view, look }: Where): Visibility | null {
  if (element === look.cover) return visibilityOfClosed(element, outer, view)
  const visibility = visibilityWithin(element, outer, view)
  if (!visibility) look.unseen.add(element)
  return visibility
}

function pending(
  from: Element,
  to: Element,
  visibility: Visibility | null,
  where: Where,
  children = shownChildren(from),
): Pending[] {
  if (!visibility || where.depth > DEEPEST) return []
  // a list of its own: the page may change between slices
  return [{ children: [...children].values(), to, visibility, ...where }]
}

/**
 * The children as displayed: an open shadow tree instead of the element's own, a slot's assigned nodes instead of its
 * default, and of closed details only the summary.
 */
export function shownChildren(node: Node): Iterable<Node> {
  if (!isElement(node)) return node.childNodes
  if (node.shadowRoot) return node.shadowRoot.childNodes
  if (isClosedDetails(node)) return node.querySelectorAll(SUMMARY)
  const guests = node.localName === 'slot' ? (node as HTMLSlotElement).assignedNodes() : []
  return guests.length > 0 ? guests : node.childNodes
}

function isClosedDetails(element: Element): boolean {
  return element.localName === 'details' && !element.hasAttribute('open')
}

export function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE
}

function copyText(text: Text, { to, visibility }: Pending): void {
  const words = text.data.trim()
  if (words !== '' && !isTextSeen(text, visibility)) return
  to.append(to.ownerDocument.createTextNode(text.data))
  if (words.includes('\n') && areLinesKept(visibility.style) && !to.closest('pre')) to.setAttribute(AS_WRITTEN, '')
}

function copyElement(element: Element, outer: Pending): Pending[] {
  if (FRAMES.has(element.localName)) return copyFrame(element as HTMLIFrameElement, outer)
  const { to, view, inFrame, depth, look } = outer
  const ownVisibility = isEmpty(element) ? outer.visibility : visibilityOf(element, outer.visibility, outer)
  const visibility =
    ownVisibility ?? (look.isOpened(element) ? visibilityOfClosed(element, outer.visibility, view) : null)
  if (!visibility || (isEmpty(element) && !TELLING.has(element.localName))) return []
  const copy = to.ownerDocument.createElement(
    isRaised(element, visibility, outer.visibility) ? 'sup' : plainName(element),
  )
  if (copy.localName !== element.localName && copy.localName !== 'sup') copy.setAttribute('is', element.localName)
  if (!ownVisibility) copy.setAttribute(CLOSED, '')
  markForm(copy, element, visibility, outer)
  for (const name of element.getAttributeNames()) {
    const value = element.getAttribute(name) ?? ''
    if (!(KEPT_ATTRIBUTES.has(name) || (NUMBERS.has(name) && NUMBER.test(value)))) continue
    copy.setAttribute(name, inFrame && isAddress(name) ? absolute(value, element) : value)
  }
  to.append(copy)
  const where = { view, inFrame, depth: depth + 1, look }
  // the last one is copied next
  return [...pendingDetails(element, copy, visibility, where), ...pending(element, copy, visibility, where)]
}

/** What the computed style says of the form of the text. */
function markForm(copy: Element, element: Element, visibility: Visibility, outer: Pending): void {
  if (isOwnLine(element, visibility)) copy.setAttribute(OWN_LINE, '')
  if (isInFront(visibility)) copy.setAttribute(IN_FRONT, '')
  const alternative = element.localName === 'img' ? element.getAttribute('alt')?.trim() : null
  if (!alternative || !isTelling(alternative)) return
  const ownVisibility = visibilityOf(element, outer.visibility, outer)
  if (ownVisibility && isPictureSeen(element, ownVisibility)) copy.setAttribute('alt', alternative)
}

/** The content of closed details, without the summary. */
function pendingDetails(element: Element, to: Element, outer: Visibility, where: Where): Pending[] {
  if (!isClosedDetails(element) || !where.look.isOpened(element)) return []
  const summary = element.querySelector(SUMMARY)
  const within = [...element.childNodes].filter((child) => child !== summary)
  return pending(element, to, visibilityOfClosed(element, outer, where.view), where, within)
}

/** Without text of its own, as most elements of many pages. */
function isEmpty(element: Element): boolean {
  return !element.firstChild && !element.shadowRoot && element.localName !== 'slot'
}

/** A frame of the same origin is part of the page. Another frame is another site. */
function copyFrame(frame: HTMLIFrameElement, { to, visibility: outer, depth, look }: Pending): Pending[] {
  const page = sameOriginPage(frame)
  const view = page?.defaultView
  const visibility = page?.body && view ? visibilityInFrame(frame, outer, view) : null
  if (!page || !view || !visibility) return []
  const copy = to.ownerDocument.createElement('div')
  to.append(copy)
  const where = { view, inFrame: true, depth: depth + 1, look }
  return pending(page.body, copy, bodyVisibility(page, visibility, where), where)
}

function sameOriginPage(frame: HTMLIFrameElement): Document | null {
  try {
    return frame.contentDocument
  } catch {
    return null // Firefox may throw where Chrome returns null
  }
}

/** The addresses of a frame are relative to the frame. */
function isAddress(name: string): boolean {
  return name === 'href' || name === 'src'
}

function absolute(address: string, { baseURI }: Element): string {
  return URL.canParse(address, baseURI) ? new URL(address, baseURI).href : address
}

/**
 * Extractors look for HTML elements. A custom element becomes a plain box whose `is` attribute names it. So does
 * NOSCRIPT where the browser runs no scripts.
 */
function plainName(element: Element): string {
  const name = element.localName
  return /^[a-z][a-z0-9]*$/.test(name) && !PLAIN.has(name) ? name : 'div'
}
