import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

const STOPS = 'a[href], button, summary, input, [tabindex="0"]'
const ASIDE = '[data-roving]'
const STEPS: Record<string, number> = { j: 1, k: -1 }

/**
 * Make the list one Tab stop, so that the box is near: J and K go from message to message, Enter goes into one, Escape
 * back to the list. Tab reaches the controls of the message that has the focus, and of no other.
 */
export function useRoving(list: RefObject<HTMLElement | null>): void {
  useEffect(() => (list.current ? rove(list.current) : undefined), [])
}

/** Return a function that stops it. */
function rove(list: HTMLElement): () => void {
  const listening = new AbortController()
  const { signal } = listening
  let current = messageOf(document.activeElement)
  const move = (next: HTMLElement | null) => {
    if (current && current !== next) putAside(current)
    if (next) bringBack(next)
    current = next
  }
  const drawing = new MutationObserver((records) => {
    for (const message of drawnIn(records)) if (message !== current) putAside(message)
  })
  drawing.observe(list, { childList: true, subtree: true })
  list.addEventListener('focusin', ({ target }) => move(messageOf(target)), { signal })
  list.addEventListener('focusout', ({ relatedTarget }) => move(messageOf(relatedTarget)), { signal })
  list.addEventListener('keydown', (event) => press(list, event), { signal })
  for (const message of messagesIn(list)) if (message !== current) putAside(message)
  return () => {
    drawing.disconnect()
    listening.abort()
  }
}

function messagesIn(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('.message')]
}

function messageOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('.message') : null
}

/** The messages that are new, or of which a part is new. */
function drawnIn(records: MutationRecord[]): Set<HTMLElement> {
  const messages = records.flatMap(({ target, addedNodes }) => [messageOf(target), ...[...addedNodes].map(messageOf)])
  return new Set(messages.filter((message) => message !== null))
}

function putAside(message: HTMLElement): void {
  for (const stop of message.querySelectorAll<HTMLElement>(STOPS)) {
    if (stop.tabIndex < 0) continue
    stop.dataset.roving = stop.getAttribute('tabindex') ?? ''
    stop.tabIndex = -1
  }
}

function bringBack(message: HTMLElement): void {
  for (const stop of message.querySelectorAll<HTMLElement>(ASIDE)) {
    if (stop.dataset.roving) stop.setAttribute('tabindex', stop.dataset.roving)
    else stop.removeAttribute('tabindex')
    delete stop.dataset.roving
  }
}

function press(list: HTMLElement, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !isFree(event.target)) return
  const current = messageOf(event.target)
  const step = STEPS[event.key]
  if (step !== undefined) goTo(list, current, step)
  else if (event.key === 'Enter' && event.target === current) current?.querySelector<HTMLElement>(STOPS)?.focus()
  else if (event.key === 'Escape' && current) list.focus({ preventScroll: true })
  else return
  event.preventDefault()
  event.stopPropagation() // the page has keys of its own
}

/** Neither a field nor a dialog that has keys of its own. */
function isFree(target: EventTarget | null): boolean {
  return target instanceof Element && !target.closest('input, textarea, select, dialog')
}

function goTo(list: HTMLElement, current: HTMLElement | null, step: number): void {
  const messages = messagesIn(list)
  const place = current ? messages.indexOf(current) + step : messages.length - 1
  const next = messages[Math.max(0, Math.min(messages.length - 1, place))]
  if (!next) return
  next.tabIndex = -1
  next.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest' })
}
