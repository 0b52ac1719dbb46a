// Keys of every page: j and k move through its list, o or Enter opens, a letter presses the button that carries it,
// a, o and n answer the question with the focus, n and p walk through passages, Ctrl+K and / open the palette, ? lists
// the keys.
import { elementOf } from './base.js'

const ROW = 'main :is(.card, .rows > li, .watches > li, tbody > tr)'
const KEYS_OFF = 'penny-keys-off'

// Single keys disturb people who dictate or mistype: the owner can switch them off.
export const areOn = () => localStorage.getItem(KEYS_OFF) === null
/** @param {boolean} on */
export const switchKeys = (on) => {
  if (on) localStorage.removeItem(KEYS_OFF)
  else localStorage.setItem(KEYS_OFF, '1')
}

export const rows = () =>
  [...document.querySelectorAll(ROW)].filter(
    (row) => !row.matches('.moved') && !row.parentElement?.closest(ROW) && row.checkVisibility(),
  )
const currentRow = () => document.activeElement?.closest(ROW)
/**
 * @param {Element} row
 * @param {string} selector
 */
const visible = (row, selector) => [...row.querySelectorAll(selector)].find((element) => element.checkVisibility())
const openDialog = () => document.querySelector('dialog[open]')

/** @param {HTMLElement | null} row */
export function focusRow(row) {
  if (!row) return
  const link = visible(row, 'h2 a, h3 a, .what a, th a') ?? visible(row, 'a[href]') ?? row
  if (link === row) row.tabIndex = -1
  link.focus({ preventScroll: true })
  row.scrollIntoView({ block: 'nearest' })
}

// A row that left the list may have the focus: the next one is the first that follows it in the document.
/** @param {number} step */
function move(step) {
  const from = currentRow()
  const all = rows()
  if (!from) {
    focusRow(all[0] ?? null)
    return
  }
  /** @type {(row: HTMLElement, side: number) => boolean} */
  const lies = (row, side) => (from.compareDocumentPosition(row) & side) !== 0
  const next = all.find((row) => lies(row, Node.DOCUMENT_POSITION_FOLLOWING) && !from.contains(row))
  const previous = all.findLast((row) => lies(row, Node.DOCUMENT_POSITION_PRECEDING) && !row.contains(from))
  focusRow((step > 0 ? next : previous) ?? null)
}

const scope = () => openDialog() ?? currentRow() ?? document.querySelector('main .reader')

/**
 * Press or focus the button of a letter in the dialog, in the row with the focus, or in the reader.
 * @param {string} key
 * @param {'click' | 'focus'} how
 */
export const press = (key, how = 'click') => scope()?.querySelector(`[data-key="${key}"]`)?.[how]()

function open() {
  const row = currentRow()
  if (!row || openDialog()) return
  ;(row.querySelector('[data-key="o"]') ?? visible(row, 'a[href], summary'))?.click()
}

const openPalette = async () => (await import('./palette.js')).openPalette()
const listKeys = async () => (await import('./key_list.js')).listKeys()
const reader = () => (openDialog() ?? document).querySelector('.reader')
/** @param {number} step */
async function passage(step) {
  const { walk } = await import('./reader.js')
  const page = reader()
  if (page) walk(page, step)
}

/** @typedef {Record<string, () => unknown>} Keys */
/** @type {Keys} */
const ANYWHERE = { '?': listKeys }
/** @type {Keys} */
const ON_PAGES = { j: () => move(1), k: () => move(-1), '/': openPalette }
/** @type {Keys} */
const LETTERS = { o: open, n: () => passage(1), p: () => passage(-1) }
for (const letter of ['u', 'd', 's', 'c']) LETTERS[letter] = () => press(letter)

/**
 * The answer that this key gives to the question with the focus.
 * @param {Element | null} target
 * @param {string} key
 */
const answer = (target, key) => target?.closest('[data-question]')?.querySelector(`[data-answer="${CSS.escape(key)}"]`)

// Layouts for other scripts have no Latin letters: there the place of a key says which one is meant.
const LATIN = /^[\p{ASCII}\p{Script=Latin}]$/u
/** @param {KeyboardEvent} event */
const keyOf = ({ key, code, shiftKey }) => {
  if (code === 'Slash' && (key === '.' || key === ',' || (key.length === 1 && !LATIN.test(key))))
    return shiftKey ? '?' : '/'
  if (key.length > 1 || LATIN.test(key) || !/^Key[A-Z]$/.test(code)) return key
  return shiftKey ? code.slice(-1) : code.slice(-1).toLowerCase()
}

document.addEventListener('keydown', (event) => {
  const target = elementOf(event)
  const key = keyOf(event)
  if (key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
    event.preventDefault()
    void openPalette()
    return
  }
  const isTyping = target?.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]')
  if (
    isTyping ||
    event.isComposing ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    openDialog()?.matches('#keys, #palette')
  )
    return
  if (key === 'Enter' && target && target === currentRow()) {
    open()
    return
  }
  const answers = areOn() && answer(target, key.toLowerCase())
  const act = answers
    ? () => answers.click()
    : (ANYWHERE[key] ?? (areOn() && (LETTERS[key] ?? (openDialog() ? undefined : ON_PAGES[key]))))
  if (!act) return
  event.preventDefault()
  act()
})

// The header's search field is a link to the page of the search.
document.addEventListener('click', (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || !elementOf(event)?.closest('a[data-palette]')) return
  event.preventDefault()
  void openPalette()
})
