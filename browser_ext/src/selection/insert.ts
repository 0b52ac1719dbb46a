// Puts words where the owner's cursor is, so that the field's own Ctrl+Z takes them out again. Once, and looked at
// once: some editors write late, and a second try would write twice.
import { enteredText, insertText, isTextField, runCommand } from '../acting/actions/text'
import type { Field } from './chosen'

/** After two frames editors that write late have written. */
const LATE_MS = 100

/** How many more characters a field takes in place of `selection`, or null. */
export function roomIn(field: Field, selection: string): number | null {
  if (!isTextField(field) || field.maxLength < 0) return null
  return Math.max(0, field.maxLength - field.value.length + selection.length)
}

/** Text as the field can hold it: one line in an input. */
export function asFieldHolds(field: Field, text: string): string {
  return field.localName === 'input' ? text.replace(/\s*\n\s*/g, ' ') : text
}

/**
 * Put text at the cursor, in place of what is selected there. Resolves with whether it stands there now, once. The
 * caller has put focus and selection back.
 */
export async function putIn(field: Field, text: string): Promise<boolean> {
  const words = asFieldHolds(field, text)
  const [before, selection] = [enteredText(field), selectedText(field)]
  const count = timesIn(before, words) - timesIn(selection, words) + 1
  if (isTextField(field)) insertIntoField(field, words)
  else insertIntoEditor(field, words)
  await waitForEditor(field.ownerDocument)
  return timesIn(enteredText(field), words) === count
}

/** Put text behind what is selected, in lines of its own where the field has lines. */
export async function putBelow(field: Field, text: string): Promise<boolean> {
  if (isTextField(field)) field.setSelectionRange(field.selectionEnd, field.selectionEnd)
  else field.ownerDocument.getSelection()?.collapseToEnd()
  return putIn(field, field.localName === 'input' ? ` ${text}` : `\n\n${text}`)
}

function insertIntoField(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  if (insertText(field.ownerDocument, text)) return
  field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, data: text, inputType: 'insertText' }))
}

/**
 * Chrome: editors read a paste right, and lose lines of what is typed. Firefox: a paste of a script is empty to the
 * page, which then may delete what is selected.
 */
function insertIntoEditor(editor: HTMLElement, text: string): void {
  const page = editor.ownerDocument
  if (!import.meta.env.FIREFOX) {
    if (!isPasteTaken(page, editor, text)) insertText(page, text)
  } else if (text.includes('\n') && editor.closest('.ProseMirror')) {
    insertLines(page, text)
  } else {
    insertText(page, text)
  }
}

function isPasteTaken(page: Document, editor: HTMLElement, text: string): boolean {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  const paste = new ClipboardEvent('paste', { bubbles: true, cancelable: true, composed: true, clipboardData })
  const focused = page.activeElement
  return !(focused && editor.contains(focused) ? focused : editor).dispatchEvent(paste)
}

/** It joins the lines of a text that holds several. */
function insertLines(page: Document, text: string): void {
  for (const [place, line] of text.split('\n').entries()) {
    if (place > 0) runCommand(page, 'insertParagraph')
    if (line) insertText(page, line)
  }
}

function selectedText(field: Field): string {
  if (!isTextField(field)) return field.ownerDocument.getSelection()?.toString() ?? ''
  return field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)
}

/** Editors write line ends and blanks their own way. */
function bare(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u200B\uFEFF]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function timesIn(text: string, words: string): number {
  const part = bare(words)
  return part ? bare(text).split(part).length - 1 : 0
}

function waitForEditor(page: Document): Promise<void> {
  const view = page.defaultView
  return new Promise((resolve) => {
    setTimeout(resolve, 2 * LATE_MS) // a page that is not drawn
    view?.requestAnimationFrame(() => view.requestAnimationFrame(() => setTimeout(resolve, LATE_MS)))
  })
}
