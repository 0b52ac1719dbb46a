// Scrolls the page, or the part of it that an element stands in.
import { parentAcross } from './hit_test'

/** Of a screenful, so that a line at its edge shows twice. */
const SHARE = 0.85
const DEPTH_MOST = 1_000

export type ScrollTo = 'down' | 'up' | 'top' | 'end'

export function scrollBy(page: Document, to: ScrollTo, from: Element | null): void {
  const scroller = scrollerAround(page, from)
  const height = scroller === page.scrollingElement ? (page.defaultView?.innerHeight ?? 0) : scroller.clientHeight
  const top = {
    down: scroller.scrollTop + height * SHARE,
    up: scroller.scrollTop - height * SHARE,
    top: 0,
    end: scroller.scrollHeight,
  }[to]
  scroller.scrollTo({ top, behavior: 'instant' })
  const target = scroller === page.scrollingElement ? page : scroller
  target.dispatchEvent(new Event('scroll', { bubbles: target === page })) // browsers send none to a hidden tab
}

/** The nearest part that scrolls; without one named, that in the middle of the screen. */
function scrollerAround(page: Document, from: Element | null): Element {
  const view = page.defaultView
  const start = from ?? (view && page.elementFromPoint(view.innerWidth / 2, view.innerHeight / 2))
  const whole = page.scrollingElement ?? page.documentElement
  if (!from && whole.scrollHeight > (view?.innerHeight ?? 0) + 1) return whole
  for (let at = start ?? null, depth = 0; at && depth < DEPTH_MOST; at = parentAcross(at), depth++) {
    if (at === whole) break
    if (at.scrollHeight > at.clientHeight + 1 && /^(auto|scroll|overlay)$/.test(getComputedStyle(at).overflowY))
      return at
  }
  return whole
}
