// A copy of the page that holds only what a reader can see: what every later step of the extraction works on.
import { loadingCoverOf } from './loading_cover'
import { CLOSED } from '../blocks/element_hints'
import { openersOf, type Openers } from './collapsed_parts'
import { isTextSeen, visibilityInFrame, visibilityOfClosed, visibilityOfPage, visibilityWithin, type Visibility } from './visibility'

/** What is hidden lies deeper than any page that was written for people. */
const DEEPEST = 800
/** After so many nodes: to stop and go on takes time too. */
const PAUSE = 8
/** A page may put others in the place of what it shows while it is copied: then it is copied anew, and one that never stops as it is then. */
const COPIES_MOST = 3
const KEPT_ATTRIBUTES = new Set('class id href src role rel lang dir datetime itemprop itemscope itemtype colspan rowspan start'.split(' '))

const FRAMES = new Set(['iframe', 'frame'])
/** What says something without holding any words. */
const TELLING = new Set(['br', 'hr', 'img', 'td', 'th'])
const PLAIN = new Set(['slot', 'noscript'])
const SUMMARY = ':scope > summary:first-of-type'

/** What is still to be copied: the children of an element, and where to. */
interface Pending {
  children: ArrayIterator<Node>
  to: Element
  visibility: Visibility
  view: Window
  inFrame: boolean
  depth: number
  look: Look
}

/** How far to look. */
interface Look {
  /** What is closed and yet looked into: nobody needs more than a press to see it. */
  isOpened: Openers
  /** What hides nearly all of a page that shows next to nothing. */
  cover: Element | null
  /** Filled: the elements of which nothing is seen. */
  unseen: Set<Element>
}

type Where = Pick<Pending, 'view' | 'inFrame' | 'depth' | 'look'>

/** Neither alternative texts, titles, labels nor data attributes come along: nobody sees them. */
export function visibleDocument(page: Document): Generator<undefined, Document> {
  return copyOf(page, { isOpened: () => false, cover: null, unseen: new Set() })
}

/** Also what is closed where something that is seen opens it, and what a page hides that has not come to be shown; says whether it did. */
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

/** `isWhole`: nothing that was still to be copied was taken from the page meanwhile. */
function* copyPage(page: Document, look: Look): Generator<undefined, { into: Document; isWhole: boolean }> {
  const view = page.defaultView
  if (!view) throw new Error('only a page that is shown can be looked at')
  const into = page.implementation.createHTMLDocument(page.title)
  addBase(into, page.baseURI)
  const where = { view, inFrame: false, depth: 0, look }
  let isWhole = true
  const stack = page.body ? pending(page.body, into.body, bodyVisibility(page, visibilityOfPage(view), where), where) : []
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

function pending(from: Element, to: Element, visibility: Visibility | null, where: Where, children = shownChildren(from)): Pending[] {
  if (!visibility || where.depth > DEEPEST) return []
  return [{ children: [...children].values(), to, visibility, ...where }] // a list of its own: the page may change between slices
}

/**
 * The children as they are shown: an open shadow tree instead of the element's own, a slot's guests instead of its default,
 * of closed details the summary.
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

function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE
}

function copyText(text: Text, { to, visibility, view }: Pending): void {
  if (text.data.trim() === '' || isTextSeen(text, visibility, view)) to.append(to.ownerDocument.createTextNode(text.data))
}

function copyElement(element: Element, outer: Pending): Pending[] {
  if (FRAMES.has(element.localName)) return copyFrame(element as HTMLIFrameElement, outer)
  const { to, view, inFrame, depth, look } = outer
  const ownVisibility = isEmpty(element) ? outer.visibility : visibilityOf(element, outer.visibility, outer)
  const visibility = ownVisibility ?? (look.isOpened(element) ? visibilityOfClosed(element, outer.visibility, view) : null)
  if (!visibility || (isEmpty(element) && !TELLING.has(element.localName))) return []
  const copy = to.ownerDocument.createElement(plainName(element))
  if (copy.localName !== element.localName) copy.setAttribute('is', element.localName)
  if (!ownVisibility) copy.setAttribute(CLOSED, '')
  for (const name of element.getAttributeNames()) {
    if (!KEPT_ATTRIBUTES.has(name)) continue
    const value = element.getAttribute(name) ?? ''
    copy.setAttribute(name, inFrame && isAddress(name) ? absolute(value, element) : value)
  }
  to.append(copy)
  const where = { view, inFrame, depth: depth + 1, look }
  return [...pendingDetails(element, copy, visibility, where), ...pending(element, copy, visibility, where)] // the last one is the next
}

/** What closed details hold below their summary. */
function pendingDetails(element: Element, to: Element, outer: Visibility, where: Where): Pending[] {
  if (!isClosedDetails(element) || !where.look.isOpened(element)) return []
  const summary = element.querySelector(SUMMARY)
  const within = [...element.childNodes].filter((child) => child !== summary)
  return pending(element, to, visibilityOfClosed(element, outer, where.view), where, within)
}

/** Without words of its own; most elements of many pages are. */
function isEmpty(element: Element): boolean {
  return !element.firstChild && !element.shadowRoot && element.localName !== 'slot'
}

/** A frame of the page's own origin is a part of the page; another one is another site. */
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
    return null // Firefox may throw where Chrome answers with null
  }
}

/** A frame's addresses are relative to its own. */
function isAddress(name: string): boolean {
  return name === 'href' || name === 'src'
}

function absolute(address: string, { baseURI }: Element): string {
  return URL.canParse(address, baseURI) ? new URL(address, baseURI).href : address
}

/**
 * Extractors look for the elements of HTML; a custom element is a box like any other, and `is` says which. So is what stands in a page for
 * those without scripts, where the browser runs none and shows it.
 */
function plainName(element: Element): string {
  const name = element.localName
  return /^[a-z][a-z0-9]*$/.test(name) && !PLAIN.has(name) ? name : 'div'
}
