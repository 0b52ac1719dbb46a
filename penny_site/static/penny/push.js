// Notifications of this browser. The button asks for permission and posts the subscription to Penny in a plain form.
// If the browser cannot show notifications, the page says why and what to do.
import { BASE } from './base.js'

/** @type {HTMLFormElement | null} */
const form = document.querySelector('[data-push-key]')
const failureLine = /** @type {HTMLElement} */ (form?.querySelector('[role=alert]'))
const reasonLine = /** @type {HTMLElement} */ (document.getElementById('push-why'))

/** @param {string} text */
const fromBase64Url = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
/** @param {ArrayBuffer} buffer */
const toBase64Url = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** @param {string} text */
function showFailure(text) {
  failureLine.textContent = text
  failureLine.hidden = false
}

/** Return why this browser cannot show notifications here, and what to do. Empty: it can. */
function unsupportedReason() {
  if (!window.isSecureContext)
    return (
      'Browsers show notifications only for pages with TLS, or of their own machine. ' +
      'Open Penny at an address that begins with https, or add another outlet.'
    )
  const isPhoneOfApple = /iPhone|iPad/.test(navigator.userAgent)
  if (!('PushManager' in window) && isPhoneOfApple)
    return 'Here notifications come only to an app: choose Share, then Add to Home Screen, and open Penny from there.'
  if (!('PushManager' in window && 'Notification' in window && navigator.serviceWorker))
    return (
      'This browser knows no notifications, or none in a private window. ' +
      'Use another browser, or add another outlet.'
    )
  if (Notification.permission === 'denied')
    return (
      'Notifications are blocked for this page. ' +
      'Allow them in the browser, beside the address, and reload the page.'
    )
  return ''
}

// What browsers call their refusals. Their own messages are for programmers.
/** @type {Record<string, string>} */
const REFUSALS = {
  NotAllowedError:
    'Notifications are blocked for this page. Allow them in the browser, beside the address, and try again.',
  AbortError:
    'This browser does not reach its push service. Look whether it may use one, reload the page, and try again.',
  InvalidStateError:
    'This browser still has an older address for notifications. ' +
    "Remove it in the browser's settings of this page, and try again.",
  SecurityError: 'Browsers show notifications only for pages with TLS, or of their own machine.',
}
/** @param {unknown} error */
const wordsFor = (error) =>
  (error instanceof Error && REFUSALS[error.name]) ||
  'This browser takes no notifications now. Reload the page and try again, or add another outlet.'

// Register here too: `ready` alone would wait for ever for a worker that failed to register.
async function registerWorker() {
  await navigator.serviceWorker.register(`${BASE}/service_worker.js`)
  return navigator.serviceWorker.ready
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {string} value
 */
function fill(form, name, value) {
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem(name))
  field.value = value
}

/** @param {HTMLFormElement} form */
async function subscribe(form) {
  if ((await Notification.requestPermission()) !== 'granted') {
    showFailure('Notifications are blocked for this page. Allow them in the browser, beside the address.')
    return
  }
  const { pushManager } = await registerWorker()
  const applicationServerKey = fromBase64Url(form.dataset.pushKey ?? '')
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  fill(form, 'endpoint', subscription.endpoint)
  for (const name of /** @type {const} */ (['p256dh', 'auth'])) {
    const key = subscription.getKey(name)
    if (key) fill(form, name, toBase64Url(key))
  }
  const browser = /Firefox|Edg|OPR|Chrome|Safari/.exec(navigator.userAgent)?.[0] ?? 'A browser'
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(navigator.userAgent)?.[0] ?? ''
  fill(form, 'label', `${browser}${system ? ` on ${system}` : ''}`)
  form.submit()
}

/**
 * Mark the row of this browser and hide the button. Removing the row also ends the subscription in the browser.
 * @param {HTMLFormElement} form
 */
async function markThisBrowser(form) {
  const subscription = await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()
  if (!subscription) return
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(subscription.endpoint)))
  const digestHex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const chip = document.querySelector(`[data-push-browser="${digestHex}"]`)
  if (!chip) return
  chip.hidden = false
  form.hidden = true
  /** @type {HTMLFormElement | null} */
  const removalForm = document.querySelector(`[data-push-remove="${digestHex}"]`)
  removalForm?.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (await subscription.unsubscribe().catch(() => false))
      removalForm.append(
        Object.assign(document.createElement('input'), { type: 'hidden', name: 'unsubscribed', value: 'yes' }),
      )
    removalForm.submit()
  })
}

if (form) {
  const reason = unsupportedReason()
  reasonLine.textContent = reason
  reasonLine.hidden = !reason
  form.hidden = Boolean(reason)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    subscribe(form).catch((/** @type {unknown} */ error) => {
      showFailure(wordsFor(error))
    })
  })
  if (!reason)
    markThisBrowser(form).catch(() => {
      showFailure('This browser does not say whether it shows notifications. Reload the page.')
    })
}
