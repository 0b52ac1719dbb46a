// The box in front of a page in which it asks about cookies and personal data.
import { countWords } from '../blocks/blocks'
import { textOf } from '../blocks/text_of'
import { IN_FRONT } from '../visibility/form_marks'
import { CONSENT_CHOICE, CONSENT_SUBJECT } from './words'

/** More words than the longest of these boxes has. */
const MOST_WORDS = 600
/** Boxes may stand within boxes, and each is read. */
const BOXES_MOST = 40
const CONTROLS = 'button, a, [role="button"], label'
const BOXES = `[${IN_FRONT}], dialog, [role="dialog"], [role="alertdialog"]`

/** Remove the boxes from the visible copy of a page, and return the text of the first, or "". */
export function withoutConsentBoxes(visible: Document): string {
  const texts: string[] = []
  for (const box of [...visible.querySelectorAll(BOXES)].slice(0, BOXES_MOST)) {
    const text = box.isConnected ? textOf(box) : ''
    if (!isConsent(box, text)) continue
    texts.push(text)
    box.remove()
  }
  return texts[0] ?? ''
}

function isConsent(box: Element, text: string): boolean {
  if (!CONSENT_SUBJECT.test(text) || countWords(text) > MOST_WORDS) return false
  return [...box.querySelectorAll(CONTROLS)].some((control) => CONSENT_CHOICE.test(control.textContent))
}
