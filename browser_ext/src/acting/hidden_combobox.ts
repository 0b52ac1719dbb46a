// A list without a search is often a field that nobody sees, within a box that a person presses.
import { isBoxSeen, type Visibility } from '../extract/visibility/visibility'
import { roleOf } from './names/roles'

const ANCESTORS_MOST = 3
const LEAST_PX = 8
const FIELDS = 'input:not([type="hidden" i]), select, textarea'

/** Return what a person sees of a combobox whose field has no box, or null. A box around several fields is of none. */
export function boxOfCombobox(field: Element): Element | null {
  if (field.localName !== 'input' || roleOf(field) !== 'combobox') return null
  let box = field.parentElement
  for (let depth = 0; box && depth < ANCESTORS_MOST; depth++, box = box.parentElement) {
    if (box.querySelectorAll(FIELDS).length > 1) return null
    const { width, height } = box.getBoundingClientRect()
    if (width >= LEAST_PX && height >= LEAST_PX) return box
  }
  return null
}

export function isFieldSeen(field: Element, visibility: Visibility): boolean {
  const box = isBoxSeen(field, visibility) ? field : boxOfCombobox(field)
  return box !== null && isBoxSeen(box, visibility)
}
