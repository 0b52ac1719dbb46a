// A copy of the page that holds only what a reader can see: what every later step of the extraction works on.
import { isTextSeen, sightInFrame, sightOfPage, sightWithin, type Sight } from './sight'

/** What is hidden lies deeper than any page that was written for people. */
const DEEPEST = 800
const KEPT_ATTRIBUTES = 'class id href src role rel lang dir datetime itemprop itemscope itemtype colspan rowspan start'.split(' ')

const FRAMES = new Set(['iframe', 'frame'])

interface Copying {
  view: Window
  into: Document
  inFrame?: true
}

/** Neither alternative texts, titles, labels nor data attributes come along: nobody sees them. */
export function seenDocument(page: Document): Document {
  const view = page.defaultView
  if (!view) throw new Error('only a page that is shown can be looked at')
  const into = page.implementation.createHTMLDocument(page.title)
  addBase(into, page.baseURI)
  if (page.body) copyChildren(page.body, into.body, bodySight(page, sightOfPage(view), view), { view, into }, 0)
  return into
}

function addBase(into: Document, href: string): void {
  const base = into.createElement('base')
  base.href = href
  into.head.append(base)
}

function bodySight(page: Document, outer: Sight, view: Window): Sight | null {
  const root = sightWithin(page.documentElement, outer, view)
  return root && sightWithin(page.body, root, view)
}

function copyChildren(from: Node, to: Element, sight: Sight | null, copying: Copying, depth: number): void {
  if (!sight || depth > DEEPEST) return
  for (const child of shownChildren(from)) {
    if (child.nodeType === Node.TEXT_NODE) copyText(child as Text, to, sight, copying)
    else if (child.nodeType === Node.ELEMENT_NODE) copyElement(child as Element, to, sight, copying, depth)
  }
}

/**
 * The children as they are shown: an open shadow tree instead of the element's own, a slot's guests instead of its default,
 * of closed details the summary.
 */
function shownChildren(node: Node): Iterable<Node> {
  if (!isElement(node)) return node.childNodes
  if (node.shadowRoot) return node.shadowRoot.childNodes
  if (node.matches('details:not([open])')) return node.querySelectorAll(':scope > summary:first-of-type')
  const guests = node.localName === 'slot' ? (node as HTMLSlotElement).assignedNodes() : []
  return guests.length > 0 ? guests : node.childNodes
}

function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE
}

function copyText(text: Text, to: Element, sight: Sight, { view, into }: Copying): void {
  if (text.data.trim() === '' || isTextSeen(text, sight, view)) to.append(into.createTextNode(text.data))
}

function copyElement(element: Element, to: Element, outer: Sight, copying: Copying, depth: number): void {
  if (FRAMES.has(element.localName)) return copyFrame(element as HTMLIFrameElement, to, outer, copying, depth)
  const sight = sightWithin(element, outer, copying.view)
  if (!sight) return
  const copy = copying.into.createElement(plainName(element))
  for (const name of KEPT_ATTRIBUTES) {
    const value = element.getAttribute(name)
    if (value !== null) copy.setAttribute(name, isAddress(name, copying) ? absolute(value, element) : value)
  }
  to.append(copy)
  copyChildren(element, copy, sight, copying, depth + 1)
}

/** A frame of the page's own origin is a part of the page; another one is another site. */
function copyFrame(frame: HTMLIFrameElement, to: Element, outer: Sight, { into }: Copying, depth: number): void {
  const page = sameOriginPage(frame)
  const view = page?.defaultView
  const sight = page?.body && view ? sightInFrame(frame, outer, view) : null
  if (!page || !view || !sight) return
  const copy = into.createElement('div')
  to.append(copy)
  copyChildren(page.body, copy, bodySight(page, sight, view), { view, into, inFrame: true }, depth + 1)
}

function sameOriginPage(frame: HTMLIFrameElement): Document | null {
  try {
    return frame.contentDocument
  } catch {
    return null // Firefox may throw where Chrome answers with null
  }
}

/** A frame's addresses are relative to its own. */
function isAddress(name: string, { inFrame }: Copying): boolean {
  return inFrame === true && (name === 'href' || name === 'src')
}

function absolute(address: string, { baseURI }: Element): string {
  return URL.canParse(address, baseURI) ? new URL(address, baseURI).href : address
}

/** Extractors look for the elements of HTML; a custom element is a box like any other. */
function plainName(element: Element): string {
  const name = element.localName
  return /^[a-z][a-z0-9]*$/.test(name) && name !== 'slot' ? name : 'div'
}
