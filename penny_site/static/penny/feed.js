// The feed: a find opens over it with an address of its own, the filter replaces the results, new cards load on demand.
// Without this script the links and forms lead to pages.
import { elementOf } from './base.js'
import { focusRow, press } from './keys.js'
import { arrivesByItself } from './looking.js'
import { packGrids } from './packed_grid.js'
import { startReader } from './reader.js'

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('thought'))
const results = document.getElementById('results')

packGrids()
document.addEventListener('htmx:afterSwap', () => packGrids())

// The reader -----------------------------------------------------------------------------------------------------

let below = location.href // the address of the page below the dialog; the filter changes it
let isReturning = false // by Back or Forward
/** How many addresses were opened in the dialog. */
function depth() {
  /** @type {unknown} */
  const state = history.state
  return /** @type {{ reader?: number } | null} */ (state)?.reader ?? 0
}
/**
 * @param {Element | null | undefined} element
 * @returns {HTMLAnchorElement | null | undefined}
 */
const opener = (element) => element?.closest('a[data-open]')

// A new tab is the browser's.
document.addEventListener(
  'click',
  (event) => (event.ctrlKey || event.metaKey || event.shiftKey) && opener(elementOf(event)) && event.stopPropagation(),
  true,
)

// The buttons in the dialog act on the cards of the page below.
document.addEventListener('htmx:configRequest', ({ detail }) => {
  if (dialog.open) detail.headers['HX-Current-URL'] = below
})

// Settled: before that, htmx gives the new elements the classes of the old ones with the same ids.
document.addEventListener('htmx:afterSettle', ({ detail }) => {
  if (detail.target.id !== 'thought-body') return
  const link = opener(detail.requestConfig?.elt)
  if (link && link.href !== location.href) history.pushState({ reader: depth() + 1 }, '', link.href)
  showInDialog(link || isReturning ? location.hash.slice(1) : '', !link && !isReturning)
  isReturning = false
})

/**
 * @param {string} anchor the id of a sentence
 * @param {boolean} isReload the dialog showed this before, and its place stays
 */
function showInDialog(anchor, isReload) {
  if (!dialog.open) dialog.showModal()
  if (!isReload) dialog.scrollTop = 0
  const reader = dialog.querySelector('.reader')
  if (reader) startReader(reader, anchor)
  else dialog.querySelector('#quote')?.scrollIntoView({ block: 'center' })
  const sentence = anchor ? dialog.querySelector('.sentence.current .ref') : null
  ;(sentence ?? dialog.querySelector('#thought-title'))?.focus({ preventScroll: true })
}

// Back and Forward: the address says whether a find is open. A place in the address, as the link to the content leaves
// it, would take the focus from the card.
/** @type {Element | null} */
let backOn = null
addEventListener('popstate', () => {
  if (depth() === 0) {
    const wasOpen = dialog.open
    dialog.close()
    const card = backOn ?? (wasOpen ? document.activeElement : null)
    backOn = null
    if (location.hash) setTimeout(() => card instanceof HTMLElement && card.focus({ preventScroll: true }))
    return
  }
  isReturning = true
  void htmx.ajax('GET', location.pathname, '#thought-body')
})

// When the dialog closes, the page below has its address back, and the card that the find was opened from the focus,
// even if that card was replaced since.
let changedCard = ''
dialog.addEventListener('close', () => {
  if (depth() > 0) {
    backOn = document.activeElement
    history.go(-depth())
  }
  if (changedCard && !document.activeElement?.closest('.card')) focusRow(document.getElementById(changedCard))
  changedCard = ''
})
dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close()) // a click beside the dialog

// A card that moved leaves a line with Undo: the dialog has nothing left to show and closes. A card that stayed has
// changed: the dialog loads it again.
document.addEventListener('htmx:afterSwap', (event) => {
  const id = event.detail.target.id
  if (!id.startsWith('card-') || !dialog.open) return
  /** @type {HTMLAnchorElement | null} */
  const link = document.querySelector(`#${id} h2 a`)
  if (!link) {
    dialog.close()
    return
  }
  changedCard = id
  const focus = document.activeElement
  const key = focus instanceof HTMLElement && focus.dataset.key
  void htmx.ajax('GET', link.href, '#thought-body').then(() => key && press(key, 'focus'))
})

// The page below -------------------------------------------------------------------------------------------------

// Keep the address of the page in step with the filter: the owner can save it and open it on another device.
document.addEventListener('htmx:afterSwap', (event) => {
  if (event.detail.target !== results) return
  history.replaceState(null, '', results.querySelector('[data-address]')?.dataset.address)
  below = location.href
})

// New cards are inserted above the others. The first of them gets the focus.
document.addEventListener('htmx:afterSwap', (event) => {
  if (event.detail.target.id === 'newer' && !arrivesByItself()) focusRow(event.detail.target.querySelector('.card'))
})
