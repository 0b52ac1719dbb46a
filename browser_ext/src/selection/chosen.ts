// What the owner chose in a page: the passage, the field that it stands in, and the way back to both.
import { editorAround, isTextField, type TextField } from '../acting/actions/text'
import { isSecretField } from '../private/secret_fields'
import { shadowOf } from '../extract/shadow_roots'

export type Field = TextField | HTMLElement

export interface Chosen {
  text: string
  /** Where the text can be replaced, or words can be put in; null in what can only be read. */
  field: Field | null
  /** Where it stands now, in the coordinates of the viewport. */
  place: () => DOMRect
  /** Put focus and selection back as they were. False: the text there is another one by now. */
  restore: () => boolean
}

/** Nothing of a secret field is ever chosen. */
export function chosenIn(page: Document): Chosen | null {
  const focused = focusedIn(page)
  if (focused && isTextField(focused)) return inTextField(focused)
  const selection = page.getSelection()
  if (!selection || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0).cloneRange()
  const start = range.startContainer
  const editor = editorAround(start instanceof Element ? start : (start.parentElement ?? page.documentElement))
  const text = selection.toString()
  if (!editor && text.trim() === '') return null
  const place = (): DOMRect => rectOf(range, editor)
  return { text, field: editor, place, restore: () => restoreRange(page, range, text, editor) }
}

function focusedIn(page: Document): Element | null {
  let focused = page.activeElement
  for (let inner = focused && shadowOf(focused)?.activeElement; inner; inner = shadowOf(inner)?.activeElement)
    focused = inner
  return focused
}

function inTextField(field: TextField): Chosen | null {
  const isSecret = field instanceof HTMLInputElement && isSecretField(field)
  if (isSecret || field.readOnly || field.disabled) return null
  const { selectionStart: start, selectionEnd: end, selectionDirection, value } = field
  if (start === null || end === null) return null // a number, a date: no part of it can be replaced
  const text = value.slice(start, end)
  const restore = (): boolean => {
    field.focus({ preventScroll: true })
    if (!field.isConnected || field.value.slice(start, end) !== text) return false
    field.setSelectionRange(start, end, selectionDirection ?? 'none')
    return true
  }
  return { text, field, place: () => field.getBoundingClientRect(), restore }
}

function restoreRange(page: Document, range: Range, text: string, editor: HTMLElement | null): boolean {
  if (!range.startContainer.isConnected) return false
  editor?.focus({ preventScroll: true })
  const selection = page.getSelection()
  selection?.removeAllRanges()
  selection?.addRange(range.cloneRange())
  return selection?.toString() === text
}

/** The last line of a selection; of a cursor in an empty editor, the editor. */
function rectOf(range: Range, editor: HTMLElement | null): DOMRect {
  const lines = [...range.getClientRects()].filter(({ width, height }) => width > 0 || height > 0)
  return lines.at(-1) ?? (editor ?? range.startContainer.parentElement)?.getBoundingClientRect() ?? new DOMRect()
}
