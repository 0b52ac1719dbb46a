// Keeps an element above all else in a page: above what enters the top layer later, and usable beside a modal dialog,
// which makes all outside of it inert.

/** A page that fights for its top layer wins after so many times a second. */
const TIMES_MOST = 20
const WINDOW_MS = 1_000

/** Show it as a popover. Returns how to stop. */
export function stayOnTop(page: Document, host: HTMLElement): () => void {
  let times = 0
  let beganAt = performance.now()
  const place = (): void => {
    const front = frontDialog(page) ?? page.documentElement
    if (host.parentNode === front && host.matches(':popover-open')) host.hidePopover()
    if (host.parentNode !== front) front.append(host)
    host.showPopover()
  }
  const placeAgain = (): void => {
    const now = performance.now()
    if (now - beganAt > WINDOW_MS) [times, beganAt] = [0, now]
    if (times++ < TIMES_MOST) place()
  }
  const follow = (event: Event): void => {
    const isOwn = event.target === host || (event.target instanceof Element && event.target.localName === 'details')
    if (!isOwn && (event as ToggleEvent).newState !== 'closed') placeAgain()
  }
  const observer = new MutationObserver((records) => {
    if (!host.isConnected || records.some(({ type }) => type === 'attributes')) placeAgain()
  })
  const end = new AbortController()
  const options = { capture: true, passive: true, signal: end.signal }
  for (const type of ['toggle', 'fullscreenchange']) page.addEventListener(type, follow, options)
  place()
  observer.observe(page.documentElement, { childList: true, subtree: true, attributeFilter: ['open'] })
  return () => {
    end.abort()
    observer.disconnect()
  }
}

/** The modal dialog that was opened last, as far as one can tell: the last in the page. */
function frontDialog(page: Document): Element | null {
  return [...page.querySelectorAll('dialog:modal')].at(-1) ?? null
}
