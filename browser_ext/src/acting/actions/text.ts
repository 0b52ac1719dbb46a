// Enters text the way a person would, as far as a script can: browsers insert it, so that the page sees trusted input.
// Where that does nothing, the value is set, and last each key is pressed.
import { isEditingHost } from '../names/roles'
import { ActFailure } from './failure'
import { moveFocus } from './focus'
import { until } from './until'

export type TextField = HTMLInputElement | HTMLTextAreaElement

const TEXT_TYPES = new Set('text search email tel url password number'.split(' '))
/** Their value has one form, whatever the browser shows. */
const EXACT_TYPES: Partial<Record<string, string>> = {
  date: 'YYYY-MM-DD',
  'datetime-local': 'YYYY-MM-DDThh:mm',
  month: 'YYYY-MM',
  week: 'YYYY-Www',
  time: 'hh:mm',
  color: '#rrggbb',
  range: 'a number within its limits',
}
const VALUE_CHARACTERS = 60
/** Some editors write a moment after they read. */
const EDITOR_MS = 100
const SELECTION_MS = 50

export function isTextField(element: Element): element is TextField {
  return (
    element.localName === 'textarea' ||
    (element.localName === 'input' && TEXT_TYPES.has((element as HTMLInputElement).type))
  )
}

export function isExactField(element: Element): element is HTMLInputElement {
  return element.localName === 'input' && Object.hasOwn(EXACT_TYPES, (element as HTMLInputElement).type)
}

/** The element that is edited as a whole, or null. */
export function editorAround(element: Element): HTMLElement | null {
  for (let at: Element | null = element; at; at = at.parentElement) if (isEditingHost(at)) return at as HTMLElement
  return null
}

export function enteredText(element: TextField | HTMLElement): string {
  return isTextField(element) ? element.value : (element.innerText ?? element.textContent ?? '')
}

/** Put a date, time, colour or range in, whose form is exact. */
export function setExactly(field: HTMLInputElement, value: string): void {
  assertWritable(field)
  moveFocus(field)
  setByPrototype(field, value, null)
  const isSame =
    field.type === 'color' ? field.value.toLowerCase() === value.toLowerCase() : isSameText(field.value, value)
  if (!isSame && Number(field.value) !== Number(value))
    throw new ActFailure('value_refused', `The field takes ${EXACT_TYPES[field.type]}. ${nowWords(field.value)}`)
}

/** Replace all of the text. Throws ActFailure if the page then shows another one. */
export async function enterText(
  field: TextField | HTMLElement,
  text: string,
  typeCharacter: TypeCharacter,
): Promise<void> {
  assertWritable(field)
  moveFocus(field)
  if (isTextField(field) && field.type === 'number' && text.trim() !== '' && Number.isNaN(Number(text)))
    throw new ActFailure('value_refused', `The field takes a number. ${nowWords(field.value)}`)
  const before = enteredText(field)
  const holdsIt = (): true | null => isSameText(enteredText(field), text) || null
  const isTaken = isTextField(field) ? holdsIt : () => until(field.ownerDocument, holdsIt, EDITOR_MS)
  await selectAll(field)
  insertText(field.ownerDocument, text)
  let isTold = false
  if (!(await isTaken())) {
    if (isTextField(field)) isTold = setByPrototype(field, text, text)
    else await pasteInto(field, text)
  }
  if (!(await isTaken()) && enteredText(field) === before) {
    selectWhole(field)
    for (const character of text) typeCharacter(field, character)
  }
  if (isTextField(field) && !isTold) tellChange(field)
  assertTaken(field, text)
}

/**
 * Tell the page of a change. Of text that the browser put in itself it would tell once more when the field is left, and
 * a page that stores or sends would do so twice: this second time is kept from the page.
 */
function tellChange(field: TextField): void {
  field.dispatchEvent(new Event('change', { bubbles: true, composed: true }))
  const { value } = field
  const view = field.ownerDocument.defaultView
  function hear(event: Event): void {
    if (event.composedPath()[0] !== field) return
    view?.removeEventListener('change', hear, true)
    if (event.isTrusted && field.value === value) event.stopImmediatePropagation()
  }
  view?.addEventListener('change', hear, true)
}

type TypeCharacter = (target: Element, character: string) => void

/** A mask may write it its own way: the same letters and digits count as the same. */
function assertTaken(field: TextField | HTMLElement, text: string): void {
  const now = enteredText(field)
  if (isSameText(now, text) || (bare(now) === bare(text) && bare(text) !== '')) return
  throw new ActFailure('value_refused', nowWords(now))
}

function nowWords(value: string): string {
  return value ? `The field now holds “${value.slice(0, VALUE_CHARACTERS)}”.` : 'The field is empty now.'
}

function isSameText(one: string, other: string): boolean {
  return tidy(one) === tidy(other)
}

/** Editors end with a line of their own, and write some spaces as ones that do not break. */
function tidy(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[\u00A0\u202F]/g, ' ')
    .replace(/\n{2,}/g, '\n')
    .replace(/[\u200B\uFEFF]/g, '')
    .trim()
}

function bare(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}

export function assertWritable(field: Element): void {
  const isReadOnly = (isTextField(field) && field.readOnly) || field.getAttribute('aria-readonly') === 'true'
  if (isReadOnly) throw new ActFailure('not_editable', 'The field can only be read.')
}

export function selectWhole(field: TextField | HTMLElement): void {
  if (isTextField(field)) field.select()
  else field.ownerDocument.getSelection()?.selectAllChildren(field)
}

/** At the end, where the focus alone brought no cursor: in Firefox a tab not in front has none. */
export function placeCursor(editor: HTMLElement): void {
  const selection = editor.ownerDocument.getSelection()
  if (!selection || (selection.anchorNode && editor.contains(selection.anchorNode))) return
  selection.selectAllChildren(editor)
  selection.collapseToEnd()
}

/** Editors with a selection of their own hear of the page's a moment later. */
async function selectAll(field: TextField | HTMLElement): Promise<void> {
  selectWhole(field)
  if (isTextField(field)) return
  await new Promise<void>((resolve) => {
    field.ownerDocument.addEventListener('selectionchange', () => resolve(), { once: true })
    setTimeout(resolve, SELECTION_MS)
  })
}

/** Return whether the browser inserted it where the cursor is. Without text, what is selected goes. */
export function insertText(page: Document, text: string): boolean {
  return text === '' ? runCommand(page, 'delete') : runCommand(page, 'insertText', text)
}

/** Nothing else makes browsers edit as for a person, with trusted events and a step to undo. */
export function runCommand(page: Document, command: string, value?: string): boolean {
  // oxlint-disable-next-line typescript/no-deprecated
  return typeof page.execCommand === 'function' && page.execCommand(command, false, value)
}

/**
 * Set the value past what the page put over it, and say so: React then takes it for the owner's. Whether it was set.
 */
export function setByPrototype(field: TextField, value: string, data: string | null): boolean {
  const prototype = field.localName === 'textarea' ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
  const inputType = data === null ? 'deleteContentBackward' : 'insertText'
  const init = { bubbles: true, composed: true, data, inputType }
  if (!field.dispatchEvent(new InputEvent('beforeinput', { ...init, cancelable: true }))) return false
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new InputEvent('input', init))
  tellChange(field)
  return true
}

/** Editors that hold their own text read it from a paste. */
async function pasteInto(editor: HTMLElement, text: string): Promise<void> {
  if (typeof DataTransfer !== 'function') return
  await selectAll(editor)
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  editor.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, composed: true, clipboardData }))
}
