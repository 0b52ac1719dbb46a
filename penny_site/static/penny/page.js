// Every page: shows failed requests, copies and shares texts, counts times down, reports use, registers the service
// worker.
import { BASE, elementOf } from './base.js'
import './keys.js'
import { listenForCounts } from './live_counts.js'

/** @type {Record<number, string>} */
const SENTENCES = {
  403: 'That was refused, because this page is too old. Reload it and try again.',
  404: 'That is no longer here. Reload the page.',
}

/**
 * Show what went wrong with a request in the line for errors; hide the line if the text is empty.
 * @param {string} text
 */
function showError(text) {
  const line = /** @type {HTMLElement} */ (document.getElementById('trouble'))
  line.textContent = text
  line.hidden = !text
}

document.addEventListener('htmx:responseError', (event) => {
  const status = event.detail.xhr.status
  showError(SENTENCES[status] ?? 'Penny made a mistake and wrote it to the log. Try again.')
})
document.addEventListener('htmx:sendError', () => {
  showError('Penny does not answer. Check that it is running, then try again.')
})
document.addEventListener('htmx:timeout', () => {
  showError('Penny takes too long to answer. Try again in a moment.')
})
// Loaded with the first refresh: most pages have none.
document.addEventListener(
  'htmx:beforeRequest',
  ({ detail }) => detail.elt.matches('[hx-trigger*="every"]') && import('./keep_focus.js'),
)
document.addEventListener('htmx:afterRequest', (event) => {
  if (event.detail.successful) showError('')
})

// Browsers copy and share only over TLS and on loopback. Elsewhere the owner can select a text to share and copy it.
/** @param {ParentNode} root */
function showCopyButtons(root) {
  for (const button of root.querySelectorAll('[data-copy]')) button.hidden = !navigator.clipboard
  for (const button of root.querySelectorAll('[data-share]')) button.hidden = false
}
showCopyButtons(document)
document.addEventListener('htmx:load', ({ detail }) => {
  showCopyButtons(detail.elt)
})
document.addEventListener('click', (event) => {
  const button = elementOf(event)?.closest('[data-copy], [data-share]')
  if (button?.dataset.copy) void copy(button, button.dataset.copy)
  else if (button?.dataset.share) void share(button, button.dataset.share)
})

/**
 * @param {HTMLElement} button
 * @param {string} text
 */
async function copy(button, text) {
  await navigator.clipboard.writeText(text)
  const words = (button.dataset.words ??= button.textContent)
  button.textContent = 'Copied'
  setTimeout(() => (button.textContent = words), 2000)
}

/**
 * @param {HTMLElement} button
 * @param {string} text
 */
async function share(button, text) {
  const shareable = { title: button.dataset.title, text }
  if (!navigator.canShare?.(shareable)) {
    if (navigator.clipboard) await copy(button, text)
    else selectText(button, text)
    return
  }
  try {
    await navigator.share(shareable)
  } catch (error) {
    // The device cannot share this text.
    if (!(error instanceof Error && error.name === 'AbortError')) await copy(button, text)
  }
}

/**
 * @param {HTMLElement} button
 * @param {string} text
 */
function selectText(button, text) {
  const field = Object.assign(document.createElement('textarea'), {
    className: 'field',
    readOnly: true,
    rows: 8,
    value: text,
    ariaLabel: 'The text to copy',
  })
  button.replaceWith(field)
  field.select()
}

// A picture that does not load gets a description.
/** @param {EventTarget | null} picture */
function describeMissing(picture) {
  if (!(picture instanceof HTMLElement) || !picture.dataset.else) return
  const words = document.getElementById(picture.dataset.else)
  if (words) words.hidden = !(picture.hidden = true)
}
document.addEventListener(
  'error',
  ({ target }) => {
    describeMissing(target)
  },
  true,
)
/** @type {NodeListOf<HTMLImageElement>} */
const pictures = document.querySelectorAll('img[data-else]')
for (const picture of pictures)
  if (picture.complete && picture.currentSrc && !picture.naturalWidth) describeMissing(picture)

if (document.querySelector('.top[data-live]')) listenForCounts()

// An example fills the field of its form.
document.addEventListener('click', (event) => {
  const example = elementOf(event)?.closest('[data-example]')
  const field = example?.closest('form')?.elements.namedItem('text')
  if (!(example && (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement))) return
  field.value = example.textContent
  field.focus()
})

// Menus close on a click elsewhere and on Escape.
const MENUS = ':is(.pop, .more-places)[open]'
document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll(MENUS))
    if (!(target instanceof Node && menu.contains(target))) menu.removeAttribute('open')
})
document.addEventListener('keydown', (event) => {
  const menu = event.key === 'Escape' && elementOf(event)?.closest(MENUS)
  if (!menu) return
  event.preventDefault() // the dialog around the menu stays
  menu.removeAttribute('open')
  menu.querySelector('summary')?.focus()
})

// A tab of a long row may lie outside of it.
document.querySelector('.tabs [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })

function countDown() {
  /** @type {NodeListOf<HTMLTimeElement>} */
  const times = document.querySelectorAll('time[data-until]')
  for (const time of times) {
    const left = Math.max(0, Math.round((Date.parse(time.dateTime) - Date.now()) / 1000))
    time.textContent = left ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}` : '0:00'
  }
}
setInterval(countDown, 1000)
document.addEventListener('htmx:afterSettle', countDown)
countDown()

// Penny notifies the browser that the owner used last. Each browser reports its use, at most once a minute.
async function reportUse() {
  /** @type {HTMLInputElement | null} */
  const token = document.querySelector('[name=csrfmiddlewaretoken]')
  if (!token?.value || document.visibilityState !== 'visible') return
  if (Date.now() - Number(sessionStorage.getItem('used')) < 60_000) return
  const subscription = await (await navigator.serviceWorker?.getRegistration())?.pushManager?.getSubscription()
  if (!subscription) return
  sessionStorage.setItem('used', String(Date.now()))
  await fetch(`${BASE}/setup/push/used/`, {
    method: 'POST',
    body: new URLSearchParams({ csrfmiddlewaretoken: token.value, endpoint: subscription.endpoint }),
  })
}
const reportUseSafely = () =>
  reportUse().catch((/** @type {unknown} */ error) => {
    console.warn('Penny does not know that this browser is used:', error)
  })
document.addEventListener('visibilitychange', reportUseSafely)
void reportUseSafely()

// The service worker makes Penny an app that can be installed, with an offline page. Browsers require TLS or loopback
// for it.
navigator.serviceWorker?.register(`${BASE}/service_worker.js`).catch((/** @type {unknown} */ error) => {
  console.warn('Penny cannot be installed as an app here:', error)
})
