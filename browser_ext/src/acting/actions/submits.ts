// Stops a form that would be sent during an act to which nobody said yes: at its `submit` event, so that the page
// stays. What the browser then collects of it is looked at once more: scripts of the page may have changed it since the
// question. It stands from an act on until the next one, or until the owner uses the page.
import type { ActCode, Shown } from '../../protocol.gen'
import { ActFailure } from './failure'
import { leaveWithoutQuestion } from './leaving'
import { NeedsYes, type Permission } from './permission'

/** `shown`: what the owner is asked about. Without it, the form cannot be sent at all. */
export interface StoppedSubmit {
  shown?: Shown
  failure?: { code: ActCode; message: string }
}

interface Guard {
  end: AbortController
  stopped: StoppedSubmit | null
  /** The event of the form that is sent now. */
  submit: SubmitEvent | null
}

const PLACE = 'pennySubmits'

export function guardSubmits(page: Document, permission: Permission): void {
  dropSubmitGuard()
  const guard: Guard = { end: new AbortController(), stopped: null, submit: null }
  const judge = (event: SubmitEvent): void => {
    if (!(event.target instanceof HTMLFormElement)) return
    guard.submit = event
    try {
      permission.assertSubmit(event.target, event.submitter)
    } catch (failure) {
      event.preventDefault()
      event.stopImmediatePropagation()
      guard.stopped ??= describe(failure)
    }
  }
  const compare = (event: FormDataEvent): void => {
    const form = event.target
    // Scripts collect forms, too: this is the browser, once all listeners are through. In Firefox the phase stays.
    const isSent = guard.submit?.target === form && guard.submit?.currentTarget === null
    if (!isSent || !(form instanceof HTMLFormElement) || guard.submit?.defaultPrevented) return
    try {
      permission.assertSent(form, guard.submit?.submitter ?? null, event.formData)
    } catch (failure) {
      takeOut(form)
      guard.stopped ??= describe(failure)
    }
    guard.submit = null
  }
  const options = { signal: guard.end.signal }
  page.defaultView?.addEventListener('submit', judge, { capture: true, ...options })
  page.defaultView?.addEventListener('formdata', compare, options) // after the page's own
  leaveWithoutQuestion(page, guard.end.signal)
  Object.assign(globalThis, { [PLACE]: guard })
}

export function dropSubmitGuard(): void {
  presentGuard()?.end.abort()
  Reflect.deleteProperty(globalThis, PLACE)
}

export function stoppedSubmit(): StoppedSubmit | null {
  return presentGuard()?.stopped ?? null
}

/** A form that is not in the page is not sent. It is back a moment later. */
function takeOut(form: HTMLFormElement): void {
  const { parentNode, nextSibling } = form
  const { port1, port2 } = new MessageChannel() // of a tab in the background, timers wait for a second
  port1.onmessage = () => {
    port1.close()
    parentNode?.insertBefore(form, nextSibling?.parentNode === parentNode ? nextSibling : null)
  }
  form.remove()
  port2.postMessage(null)
}

function describe(failure: unknown): StoppedSubmit {
  if (failure instanceof NeedsYes) return { shown: failure.shown }
  if (failure instanceof ActFailure) return { failure: { code: failure.code, message: failure.message } }
  return { failure: { code: 'unsupported', message: 'The page would send a form of which nothing can be said.' } }
}

function presentGuard(): Guard | null {
  const guard: unknown = Reflect.get(globalThis, PLACE)
  return guard instanceof Object ? (guard as Guard) : null
}
