// The palette: one field for pages, finds, messages, interests, sites and commands. The server finds, and changes
// nothing. Without this script the header's link leads to the page of the search.
import { BASE, elementOf } from './base.js'
import { makeDialog } from './dialogs.js'

const PAUSE_MS = 180
const MEANING_MS = 600 // the search by meaning asks the model of vectors: only for words that stay
const MEANING_CHARACTERS = 3
const QUERY_CHARACTERS = 200
const DRAFT = 'penny.draft.text' // where the chat keeps the message that is being written

const HTML = `<form method="dialog" role="search" aria-label="Search or ask">
  <input class="field" type="text" enterkeyhint="search" id="palette-q" role="combobox" aria-label="Search or ask"
    aria-expanded="false" aria-controls="palette-options" aria-autocomplete="list" autocomplete="off"
    spellcheck="false" maxlength="${QUERY_CHARACTERS}" placeholder="Search or ask. / lists commands">
  <button class="button quiet" type="button" aria-label="Close">✕</button>
</form>
<p class="state" role="status"></p>
<div class="options" id="palette-options" role="listbox" aria-label="Results"></div>`

/** @type {HTMLDialogElement | undefined} */
let dialog
// The parts of the dialog: `make` finds them.
/** @type {HTMLInputElement} */
let field
/** @type {HTMLElement} */
let list
/** @type {HTMLElement} */
let state
/** @type {number | undefined} */
let timer
/** @type {number | undefined} */
let meaningTimer
let request = new AbortController()
let results = Promise.resolve()

export async function openPalette() {
  dialog ??= await make()
  if (dialog.open) return
  /** @type {NodeListOf<HTMLDialogElement>} */
  const others = document.querySelectorAll('dialog[open]#keys')
  for (const other of others) other.close()
  field.value = ''
  dialog.showModal()
  field.focus()
  search()
}

async function make() {
  const palette = await makeDialog('palette', 'palette', HTML)
  palette.setAttribute('aria-label', 'Search or ask')
  field = /** @type {HTMLInputElement} */ (palette.querySelector('input'))
  list = /** @type {HTMLElement} */ (palette.querySelector('.options'))
  state = /** @type {HTMLElement} */ (palette.querySelector('.state'))
  palette.querySelector('button')?.addEventListener('click', () => {
    palette.close()
  })
  palette.addEventListener('close', stop)
  field.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(search, PAUSE_MS)
  })
  field.addEventListener('keydown', onKey)
  list.addEventListener('click', choose)
  return palette
}

function stop() {
  clearTimeout(timer)
  timer = undefined
  clearTimeout(meaningTimer)
  request.abort()
}

// Searching ------------------------------------------------------------------------------------------------------

function search() {
  stop()
  request = new AbortController()
  results = load(request.signal)
}

/** @param {AbortSignal} signal */
async function load(signal) {
  const query = field.value.trim()
  const first = document.querySelector('a[data-palette]')?.dataset.first ?? ''
  const html = await fetchOptions(`?${new URLSearchParams({ q: query, first })}`, signal)
  if (html === null) return
  list.innerHTML = html
  show(options()[0])
  list.scrollTop = 0
  report(query)
  if (query.length >= MEANING_CHARACTERS && !query.startsWith('/'))
    meaningTimer = setTimeout(() => loadMeaning(query, signal), MEANING_MS)
}

/**
 * @param {string} query
 * @param {AbortSignal} signal
 */
async function loadMeaning(query, signal) {
  const html = await fetchOptions(`meaning/?palette&${new URLSearchParams({ q: query })}`, signal)
  if (html === null) return
  list.insertAdjacentHTML('beforeend', html)
  report(query)
}

/**
 * Return HTML that the server rendered and escaped, null if it is not needed any more or did not come.
 * @param {string} address
 * @param {AbortSignal} signal
 */
async function fetchOptions(address, signal) {
  try {
    const response = await fetch(`${BASE}/search/${address}`, { headers: { 'HX-Request': 'true' }, signal })
    if (response.ok && !response.redirected) return await response.text()
    state.textContent = 'Penny did not answer. Reload the page and try again.'
  } catch {
    if (!signal.aborted) state.textContent = 'Penny does not answer. Check that she is running.'
  }
  return null
}

/** @param {string} query */
function report(query) {
  const count = options().length
  field.ariaExpanded = String(count > 0)
  state.textContent = count > 0 ? '' : query ? 'Nothing holds these words. Try fewer.' : ''
}

// Choosing -------------------------------------------------------------------------------------------------------

const options = () => [...list.querySelectorAll('[role="option"]')]
const selected = () => list.querySelector('[aria-selected="true"]')

/** @param {HTMLElement | undefined} option */
function show(option) {
  selected()?.setAttribute('aria-selected', 'false')
  option?.setAttribute('aria-selected', 'true')
  field.setAttribute('aria-activedescendant', option?.id ?? '')
  option?.scrollIntoView({ block: 'nearest' })
}

/** @param {number} by */
function step(by) {
  const all = options()
  const at = all.findIndex((option) => option === selected())
  show(all.at((at + by) % all.length))
}

/** @type {Record<string, () => unknown>} */
const KEYS = { ArrowDown: () => step(1), ArrowUp: () => step(-1), Enter: openShown }

/** @param {KeyboardEvent} event */
function onKey(event) {
  const act = KEYS[event.key]
  if (event.isComposing || !act) return
  event.preventDefault()
  if (event.key === 'Enter' || options().length > 0) act()
}

/** Open what is selected. If the words were just typed, their results come first. */
async function openShown() {
  if (timer) search()
  await results
  selected()?.click()
}

/** @param {Event} event */
function choose(event) {
  /** @type {HTMLAnchorElement | null | undefined} */
  const option = elementOf(event)?.closest('[role="option"]')
  if (option?.dataset.words) {
    event.preventDefault()
    write(option.dataset.words, option.href)
  } else if (option && new URL(option.href).pathname === location.pathname) {
    dialog?.close() // a place of this page
  }
}

/**
 * Put words before what is being written in the chat. They are sent by the owner alone.
 * @param {string} words
 * @param {string} chat the address of the chat, if this page has none
 */
function write(words, chat) {
  /** @type {HTMLTextAreaElement | null} */
  const box = document.querySelector('.composer textarea')
  if (!box) {
    const draft = /** @type {string} */ (JSON.parse(localStorage.getItem(DRAFT) ?? '""'))
    localStorage.setItem(DRAFT, JSON.stringify(words + draft))
    location.assign(chat)
    return
  }
  dialog?.close()
  box.value = words + box.value
  box.dispatchEvent(new Event('input', { bubbles: true }))
  box.focus()
}
