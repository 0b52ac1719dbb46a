// A page that shows almost nothing because one hidden element holds nearly all of it, for example until its scripts
// have run.

import { wordsOf } from '../blocks/blocks'

/** A page with more visible words counts as visible. */
const MOST_SEEN = 150
const LEAST_BEHIND = 200
const SILENT = new Set('SCRIPT STYLE NOSCRIPT TEMPLATE SVG TEXTAREA SELECT IFRAME OBJECT'.split(' '))

/**
 * Return the element that hides most words of the page, if almost nothing of it is `visible`. `unseen` are the elements
 * of which nothing is visible. Small hidden texts, such as words for programs, are no cover; nor is anything on a page
 * that people can read.
 */
export function loadingCoverOf(page: Document, visible: Element, unseen: ReadonlySet<Element>): Element | null {
  const seenWords = wordsIn(visible, MOST_SEEN)
  if (seenWords > MOST_SEEN || !page.defaultView) return null
  const candidates = hiddenIn(page.documentElement, page.defaultView, unseen).map((element) => ({
    element,
    words: wordsIn(element),
  }))
  const all = candidates.reduce((sum, { words }) => sum + words, seenWords)
  return candidates.find(({ words }) => words >= LEAST_BEHIND && words >= all / 2)?.element ?? null
}

/** The outermost hidden elements. */
function hiddenIn(root: Element, view: Window, unseen: ReadonlySet<Element>): Element[] {
  const isHidden = (element: Element) => unseen.has(element) || view.getComputedStyle(element).visibility !== 'visible'
  const elements: Element[] = []
  const accept = (node: Node) => {
    const element = node as Element
    if (SILENT.has(element.tagName.toUpperCase()) || element === root.ownerDocument.head)
      return NodeFilter.FILTER_REJECT
    if (!isHidden(element)) return NodeFilter.FILTER_SKIP
    elements.push(element)
    return NodeFilter.FILTER_REJECT
  }
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_ELEMENT, accept)
  while (walker.nextNode());
  return isHidden(root) ? [root] : elements
}

/** Count words up to `most`. */
function wordsIn(element: Element, most = Infinity): number {
  const accept = (node: Node) => {
    if (node.nodeType === Node.TEXT_NODE) return NodeFilter.FILTER_ACCEPT
    return SILENT.has((node as Element).tagName.toUpperCase()) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP
  }
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, accept)
  let words = 0
  for (let node = walker.nextNode(); node && words <= most; node = walker.nextNode())
    words += wordsOf((node as Text).data).length
  return words
}
