// Moves the focus as a press would. A window that is not in front sends no events for it: then we send them.

const FOCUSABLE =
  'a[href], area[href], button, input:not([type="hidden"]), select, textarea, summary, iframe, [tabindex], ' +
  '[contenteditable]:not([contenteditable="false"])'

export function focusableAround(element: Element): HTMLElement | null {
  return element.closest<HTMLElement>(FOCUSABLE)
}

export function moveFocus(element: HTMLElement): void {
  const root = element.getRootNode() as Document | ShadowRoot
  const before = root.activeElement
  if (before === element) return
  let isSent = false
  const onFocus = () => (isSent = true)
  element.addEventListener('focus', onFocus)
  element.focus({ preventScroll: true })
  element.removeEventListener('focus', onFocus)
  if (isSent || root.activeElement !== element) return
  if (before && before !== before.ownerDocument.body) sendFocus(before, ['blur', 'focusout'], element)
  sendFocus(element, ['focus', 'focusin'], before)
}

/** Tell of a focus that the page moves by itself during the work, where the browser does not. */
export function tellOfFocus(page: Document, work: () => void): void {
  const before = page.activeElement
  let last = before
  const note = (event: Event): void => void (last = event.target as Element)
  page.addEventListener('focusin', note, { capture: true })
  work()
  page.removeEventListener('focusin', note, { capture: true })
  const now = page.activeElement
  if (!now || now === before || now === last || now === page.body) return
  if (before && before !== page.body) sendFocus(before, ['blur', 'focusout'], now)
  sendFocus(now, ['focus', 'focusin'], before)
}

function sendFocus(element: Element, types: readonly string[], relatedTarget: Element | null): void {
  for (const type of types) {
    const bubbles = type === 'focusin' || type === 'focusout'
    element.dispatchEvent(
      new FocusEvent(type, { bubbles, composed: true, relatedTarget, view: element.ownerDocument.defaultView }),
    )
  }
}

/** Move to the next control in the order of the page, or the one before. */
export function moveByTab(page: Document, isBack: boolean): void {
  const all = [...page.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (element) => element.tabIndex >= 0 && !element.matches(':disabled') && element.checkVisibility(),
  )
  if (all.length === 0) return
  const at = all.indexOf(page.activeElement as HTMLElement)
  const next = at < 0 ? (isBack ? all.length - 1 : 0) : (at + (isBack ? -1 : 1) + all.length) % all.length
  const target = all[next]
  if (target) moveFocus(target)
}

/** The element that has the focus, also in shadow trees that are closed to the page. */
export function focusedElement(page: Document, shadowOf: (element: Element) => ShadowRoot | null): Element | null {
  let element = page.activeElement
  for (let depth = 0; element && depth < 100; depth++) {
    const inner = shadowOf(element)?.activeElement
    if (!inner) break
    element = inner
  }
  return element === page.body || element === page.documentElement ? null : element
}
