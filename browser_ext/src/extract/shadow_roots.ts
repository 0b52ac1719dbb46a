// The shadow trees of a page, also those that are closed to the page's own scripts: only extensions can open these.

/** What Chrome gives to scripts of an extension. */
interface WithDom {
  chrome?: { dom?: { openOrClosedShadowRoot(element: Element): ShadowRoot | null } }
}

interface FirefoxElement extends Element {
  openOrClosedShadowRoot?: ShadowRoot | null
}

/** Beside custom elements, no others may have a shadow tree: asking costs time. */
const HOSTS = new Set(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
)

/** What Penny herself puts on a page: it is no part of it. `inside`: what a pointer can hit of it. */
interface Own {
  host: Element
  inside: HTMLElement
}

/** In our isolated world, so that all scripts know it. */
export const OWN_PLACE = 'pennyHosts'

/** Returns how to say that it is gone. */
export function placeOwnHost(host: Element, inside: HTMLElement): () => void {
  const own = { host, inside }
  keepOwnParts([...ownParts(), own])
  return () => keepOwnParts(ownParts().filter((one) => one !== own))
}

function keepOwnParts(parts: Own[]): void {
  Object.assign(globalThis, { [OWN_PLACE]: parts })
}

function ownParts(): Own[] {
  return (Reflect.get(globalThis, OWN_PLACE) as Own[] | undefined) ?? []
}

export function isOwnHost(element: Element): boolean {
  return ownParts().some(({ host }) => host === element)
}

/** Return what lies at a point of the page beneath what Penny put there. */
export function pageElementAt(page: DocumentOrShadowRoot, x: number, y: number): Element | null {
  const hit = page.elementFromPoint(x, y)
  if (!hit || !isOwnHost(hit)) return hit
  const parts = ownParts()
  for (const { inside } of parts) inside.style.pointerEvents = 'none' // within the closed trees, where no page sees it
  const beneath = page.elementFromPoint(x, y)
  for (const { inside } of parts) inside.style.pointerEvents = 'auto'
  return beneath
}

export function shadowOf(element: FirefoxElement): ShadowRoot | null {
  const name = element.localName
  if (!HOSTS.has(name) && !name.includes('-')) return null
  const shadow = element.shadowRoot ?? closedShadowOf(element)
  return shadow && isOwnHost(element) ? null : shadow
}

function closedShadowOf(element: FirefoxElement): ShadowRoot | null {
  if (element.openOrClosedShadowRoot !== undefined) return element.openOrClosedShadowRoot
  if (!(element instanceof HTMLElement)) return null
  return (globalThis as WithDom).chrome?.dom?.openOrClosedShadowRoot(element) ?? null
}
