// The list of the keys of this page, and the switch for single letters.
import { makeDialog } from './dialogs.js'
import { areOn, rows, switchKeys } from './keys.js'

const IS_MAC = /Mac|iP(hone|ad)/.test(navigator.userAgent)
/** @param {string} selector */
const has = (selector) => () => document.querySelector(selector) !== null
const hasRows = () => rows().length > 0
/**
 * What each key does, and where.
 * @type {[string[], string, () => boolean][]}
 */
const KEYS = [
  [['j'], 'next in the list', hasRows],
  [['k'], 'previous in the list', hasRows],
  [['j', 'k'], 'next and previous message, in the conversation', has('#log')],
  [['o', 'Enter'], 'open it', hasRows],
  [['a'], 'allow, at a question with the focus', has('[data-question]')],
  [['o'], 'just once', has('[data-answer="o"]')],
  [['n'], 'no', has('[data-question]')],
  [['u'], 'thumbs up', has('[data-key="u"]')],
  [['d'], 'thumbs down', has('[data-key="d"]')],
  [['s'], 'save it, or take it back', has('[data-key="s"]')],
  [['c'], 'discuss it in the chat', has('[data-key="c"]')],
  [['n'], 'next passage, in an open find', has('.card, .reader')],
  [['p'], 'previous passage', has('.card, .reader')],
  [['/', IS_MAC ? '⌘K' : 'Ctrl+K'], 'search, or go to a page', () => true],
  [['Escape'], 'close', () => true],
  [['?'], 'show this list', () => true],
]

const HTML = `<form method="dialog"><button class="button quiet close" aria-label="Close">✕</button></form>
<h2 id="keys-title">Keyboard</h2>
<dl class="keylist"></dl>
<p class="keys-on"><label><input type="checkbox" id="keys-on">
  Single letters are shortcuts on Penny's pages</label></p>`

/** @type {ReturnType<typeof make> | undefined} */
let list

export async function listKeys() {
  list ??= make()
  const { dialog, terms, toggle } = await list
  if (dialog.open) return
  terms.replaceChildren(...KEYS.filter(([, , isHere]) => isHere()).flatMap(([keys, does]) => entry(keys, does)))
  toggle.checked = areOn()
  dialog.showModal()
}

async function make() {
  const dialog = await makeDialog('keys', 'small', HTML)
  dialog.setAttribute('aria-labelledby', 'keys-title')
  const terms = /** @type {HTMLElement} */ (dialog.querySelector('dl'))
  const toggle = /** @type {HTMLInputElement} */ (dialog.querySelector('#keys-on'))
  toggle.addEventListener('change', () => {
    switchKeys(toggle.checked)
  })
  return { dialog, terms, toggle }
}

/**
 * @param {string[]} keys
 * @param {string} does
 */
function entry(keys, does) {
  const term = document.createElement('dt')
  keys.forEach((key, index) =>
    term.append(index ? ' or ' : '', Object.assign(document.createElement('kbd'), { textContent: key })),
  )
  return [term, Object.assign(document.createElement('dd'), { textContent: does })]
}
