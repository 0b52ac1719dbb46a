// What a paste or a drop brings into the box: words, files, or both.
import { MESSAGE_CHARACTERS } from '../server/frames'

export interface Brought {
  words: string
  files: File[]
}

const PLACE = /^(?:file|https?):\/\/\S+$/i
/** The name of the file that words become. */
export const PASTED = 'pasted.txt'

/** Office programs put a picture of the words beside them, and file managers the names of the files: no words then. */
export function broughtBy(transfer: DataTransfer | null): Brought {
  const files = [...(transfer?.files ?? [])]
  const words = transfer?.getData?.('text/plain') || wordsOfHtml(transfer?.getData?.('text/html') ?? '')
  return { words: files.length > 0 && areOnlyPlaces(words, files) ? '' : words, files }
}

function wordsOfHtml(html: string): string {
  return html ? (new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '').trim() : ''
}

/** Whether each line names one of these files, or where it comes from. */
function areOnlyPlaces(words: string, files: readonly File[]): boolean {
  const lines = words.split('\n').map((line) => line.trim())
  return lines.every((line) => !line || PLACE.test(line) || files.some(({ name }) => name && line.endsWith(name)))
}

/** Whether these words would make the message too long. */
export function isTooMuch(field: HTMLTextAreaElement, words: string): boolean {
  const replaced = field.selectionEnd - field.selectionStart
  return field.value.length - replaced + words.length > MESSAGE_CHARACTERS
}

export function fileOfWords(words: string): File {
  return new File([words], PASTED, { type: 'text/plain' })
}

/** Put words where the caret is. */
export function insertWords(field: HTMLTextAreaElement, words: string): void {
  field.focus()
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else can be undone with the field's own keys
  if (document.execCommand?.('insertText', false, words)) return
  field.setRangeText(words, field.selectionStart, field.selectionEnd, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
