// Like siblings: the rows of a table, the cards of a shop. A snapshot shows the first of many.

/** With more, the rest is folded. */
export const SIBLINGS_MOST = 12

/** Return the tag and class that more than SIBLINGS_MOST children share, or null. */
export function likenessOf(parent: Element | ShadowRoot): string | null {
  const counts = new Map<string, number>()
  for (let child = parent.firstElementChild; child; child = child.nextElementSibling) {
    const likeness = likenessOfChild(child)
    const count = (counts.get(likeness) ?? 0) + 1
    counts.set(likeness, count)
  }
  const [likeness, count] = [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most), ['', 0])
  return count > SIBLINGS_MOST ? likeness : null
}

/** The first class names the kind; others tell of states. */
export function likenessOfChild(child: Element): string {
  return `${child.localName}.${/\S+/.exec(child.getAttribute('class') ?? '')?.[0] ?? ''}`
}
