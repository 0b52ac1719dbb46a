/** Returns what a selector names on a page, in the page's order; nothing for what is no selector. */
export function elementsOf(page: Document, css: string): Element[] {
  try {
    return [...page.querySelectorAll(css)]
  } catch {
    return [] // a page of a trial says which selectors find nothing
  }
}
