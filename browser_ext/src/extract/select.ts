/** Return the elements that a selector matches, in page order. An invalid selector matches nothing. */
export function elementsOf(page: Document, css: string): Element[] {
  try {
    return [...page.querySelectorAll(css)]
  } catch {
    return [] // the page of a trial reports selectors without matches
  }
}
