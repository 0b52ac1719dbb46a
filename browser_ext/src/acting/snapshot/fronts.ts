// What stands in front of the page: open dialogs, menus and lists. A snapshot begins with them.
import { ownRole } from '../names/roles'

export interface Front {
  kind: string
  /** Nothing beneath can be used until it is closed. */
  isModal: boolean
}

const DIALOGS = new Set(['dialog', 'alertdialog'])
const LISTS = new Set(['menu', 'listbox', 'tree', 'grid'])
const LIFTED = new Set(['absolute', 'fixed'])

export function frontOf(element: Element, position: string): Front | null {
  const isDialog = element.localName === 'dialog'
  if (!isDialog && !element.hasAttribute('role') && !element.hasAttribute('popover')) return null
  if (isDialog && matches(element, ':modal')) return { kind: 'dialog', isModal: true }
  const role = isDialog ? 'dialog' : ownRole(element)
  if (element.hasAttribute('popover') && matches(element, ':popover-open'))
    return { kind: DIALOGS.has(role) || LISTS.has(role) ? role : 'popover', isModal: false }
  if (DIALOGS.has(role)) {
    const isModal = element.getAttribute('aria-modal') === 'true'
    return isModal || isLifted(element, position) ? { kind: 'dialog', isModal } : null
  }
  return LISTS.has(role) && isLifted(element, position) ? { kind: role, isModal: false } : null
}

/** The box that places a menu is often its parent. */
function isLifted(element: Element, position: string): boolean {
  if (LIFTED.has(position)) return true
  const parent = element.parentElement
  return parent !== null && parent !== element.ownerDocument.body && LIFTED.has(getComputedStyle(parent).position)
}

function matches(element: Element, state: string): boolean {
  try {
    return element.matches(state)
  } catch {
    return false // an older browser does not know the state
  }
}
