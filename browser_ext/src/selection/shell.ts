// Holds what the bar shows in a page: one element at its end, in the top layer, with a closed shadow tree. The page
// reaches nothing of it, and may at most remove it whole.
import { stayOnTop } from '../acting/pill/top_layer'
import { placeOwnHost } from '../extract/shadow_roots'

const HTML = 'http://www.w3.org/1999/xhtml'
/** A button that has just come under the pointer is not what the owner meant to press. */
const SEEN_MS = 300
const GAP = 8

const HOST = {
  all: 'initial',
  'color-scheme': 'light dark',
  position: 'fixed',
  inset: '0',
  width: 'auto',
  height: 'auto',
  margin: '0',
  padding: '0',
  border: '0',
  overflow: 'visible',
  background: 'transparent',
  'pointer-events': 'none',
}

const STYLE = `
* { box-sizing: border-box }
[hidden] { display: none !important }
.box {
  position: absolute; max-inline-size: min(440px, calc(100vw - 16px)); pointer-events: auto;
  padding: 4px; border: 1px solid light-dark(#8f877c, #7d756b); border-radius: 10px;
  background: light-dark(#fff, #22201d); color: light-dark(#22201d, #ece8e1);
  font: 14px/1.45 system-ui, sans-serif; text-align: start; box-shadow: 0 4px 16px rgb(0 0 0 / 24%);
  overflow-wrap: anywhere; max-block-size: calc(100vh - 16px); overflow: auto;
}
.row { display: flex; flex-wrap: wrap; gap: 2px }
button {
  min-block-size: 32px; padding: 4px 10px; border: 0; border-radius: 7px; background: transparent; color: inherit;
  font: inherit; cursor: pointer;
}
@media (pointer: coarse) { button { min-block-size: 44px; padding-inline: 14px } }
button:hover { background: light-dark(#f2efea, #37332e) }
button:focus-visible, textarea:focus-visible, .words:focus-visible {
  outline: 2px solid light-dark(#a84f23, #e39164); outline-offset: -2px;
}
button.main { background: light-dark(#a84f23, #e39164); color: light-dark(#fff, #21150e); font-weight: 600 }
.card { padding: 8px; display: grid; gap: 8px; min-inline-size: min(280px, calc(100vw - 26px)) }
.head { display: flex; justify-content: space-between; align-items: center; gap: 8px; font-weight: 600 }
.words { max-block-size: min(40vh, 320px); overflow: auto; white-space: pre-wrap; border-radius: 6px; user-select: text }
.note { color: light-dark(#655f57, #b0a89d); font-size: 13px }
.stop { color: light-dark(#a3322b, #ef8a83) }
textarea {
  inline-size: 100%; min-block-size: 56px; padding: 6px 8px; border: 1px solid light-dark(#8f877c, #7d756b);
  border-radius: 7px; background: light-dark(#fbfaf8, #191715); color: inherit; font: inherit; resize: vertical;
}
@media (forced-colors: active) { .box, button.main { border: 1px solid ButtonText } }
`

export interface Shell {
  box: HTMLElement
  /** Put the box beside a place in the viewport. */
  placeAt(place: DOMRect): void
  /** Whether the owner pressed something that they saw: nothing of the page covers it or pressed it. */
  isMeant(event: Event): boolean
  holds(event: Event): boolean
  /** There are buttons that were not there before. */
  showNew(): void
  remove(): void
}

export function openShell(page: Document, name: string, direction: string): Shell {
  const host = part(page, 'div') // a page could open the closed tree of a custom element that it defines
  host.popover = 'manual'
  for (const [property, value] of Object.entries(HOST)) host.style.setProperty(property, value, 'important')
  const root = host.attachShadow({ mode: 'closed' })
  const box = part(page, 'div', 'box')
  box.role = 'group'
  box.ariaLabel = name
  box.dir = direction
  dress(page, root)
  root.append(box)
  const forget = placeOwnHost(host, box)
  const leave = stayOnTop(page, host)
  let shownAt = performance.now()
  const ownKeys = (event: Event): void => event.stopPropagation() // the shortcuts of the page do not hear them
  for (const type of ['keydown', 'keyup', 'keypress', 'input', 'beforeinput']) root.addEventListener(type, ownKeys)
  return {
    box,
    placeAt: (place) => move(page, box, place),
    isMeant: (event) => event.isTrusted && performance.now() - shownAt >= SEEN_MS && isInFront(page, host, event),
    holds: (event) => event.composedPath().includes(host),
    showNew: () => void (shownAt = performance.now()),
    remove: () => {
      leave()
      forget()
      host.remove()
    },
  }
}

/** A style sheet of the document's own: the policy of the page does not count for it. */
function dress(page: Document, root: ShadowRoot): void {
  const sheet = new (page.defaultView ?? globalThis).CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [sheet]
}

function isInFront(page: Document, host: Element, event: Event): boolean {
  const button = event.currentTarget
  if (!(button instanceof Element)) return false
  const { left, top, width, height } = button.getBoundingClientRect()
  return page.elementFromPoint(left + width / 2, top + height / 2) === host
}

/** Below the place, or above it where there is no room, and always within what is seen of the page. */
function move(page: Document, box: HTMLElement, place: DOMRect): void {
  const view = page.defaultView?.visualViewport
  const [left, top] = [view?.offsetLeft ?? 0, view?.offsetTop ?? 0]
  const [width, height] = [view?.width ?? innerWidth, view?.height ?? innerHeight]
  const { width: own, height: tall } = box.getBoundingClientRect()
  const below = place.bottom + GAP
  const above = place.top - GAP - tall
  const isBelow = below + tall <= top + height - GAP || above < top + GAP
  const start = box.dir === 'rtl' ? place.right - own : place.left
  box.style.left = `${within(start, left + GAP, left + width - own - GAP)}px`
  box.style.top = `${within(isBelow ? below : above, top + GAP, top + height - tall - GAP)}px`
}

function within(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most))
}

export function part<Name extends keyof HTMLElementTagNameMap>(
  page: Document,
  name: Name,
  className = '',
  text = '',
): HTMLElementTagNameMap[Name] {
  const element = page.createElementNS(HTML, name) as HTMLElementTagNameMap[Name]
  if (className) element.className = className
  element.textContent = text
  return element
}
