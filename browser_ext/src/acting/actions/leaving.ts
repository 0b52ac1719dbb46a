// A page that says that something in it is not saved is left at the second try. Its browser asks nobody meanwhile.
import type { PageState } from '../page_state'
import { ActFailure } from './failure'

/** Throws `unsaved`, once for each document. */
export function assertMayLeave(page: Document, state: PageState): void {
  if (state.isUnsavedTold || !asksToStay(page)) return
  state.isUnsavedTold = true
  throw new ActFailure('unsaved', 'The page says that something is not saved yet.')
}

/** What the page would answer if it were left. */
function asksToStay(page: Document): boolean {
  const event = page.createEvent('BeforeUnloadEvent')
  // oxlint-disable-next-line typescript/no-deprecated -- no constructor makes this event
  event.initEvent('beforeunload', false, true)
  page.defaultView?.dispatchEvent(event)
  const words: unknown = Reflect.get(event, 'returnValue') // the page's own, where it still has any
  return event.defaultPrevented || (typeof words === 'string' && words !== '')
}

/** Nobody is there to answer what the browser would ask. */
export function leaveWithoutQuestion(page: Document, signal: AbortSignal): void {
  const pass = (event: Event): void => {
    if (event.isTrusted) event.stopImmediatePropagation()
  }
  page.defaultView?.addEventListener('beforeunload', pass, { capture: true, signal })
}

/** Whether a press follows a link to another page in this tab. */
export function followsLink(element: Element): boolean {
  const link = element.closest<HTMLAnchorElement>('a[href], area[href]')
  if (!link || !/^https?:/.test(link.href) || (link.target !== '' && link.target !== '_self')) return false
  return link.href.split('#')[0] !== element.ownerDocument.URL.split('#')[0]
}
