// Which elements are controls: what a person can press, fill or choose.
import { isEditingHost, ownRole } from '../names/roles'

const WIDGETS = new Set(
  (
    'button link checkbox radio tab menuitem menuitemcheckbox menuitemradio option switch combobox textbox searchbox ' +
    'slider spinbutton treeitem gridcell scrollbar'
  ).split(' '),
)
const INPUTS: Partial<Record<string, string>> = {
  button: 'button',
  checkbox: 'checkbox',
  color: 'color',
  date: 'date',
  'datetime-local': 'datetime',
  file: 'file',
  image: 'button',
  month: 'month',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  search: 'searchbox',
  submit: 'button',
  time: 'time',
  week: 'week',
}
/** Whatever could be a control, for browsers to look for at once. */
export const MAYBE_CONTROLS =
  'a[href], button, input:not([type="hidden"]), select, textarea, summary, [role], [tabindex], [onclick], [contenteditable]'

/** Return the role in the words of a snapshot, `click` for what has none and can be pressed, '' for no control. */
export function controlRole(element: Element): string {
  const native = nativeRole(element)
  if (!element.hasAttributes()) return native
  const role = element.hasAttribute('role') ? ownRole(element) : ''
  if (role && WIDGETS.has(role) && !(role === 'gridcell' && !isFocusable(element)))
    return native === 'select' ? native : role
  if (native) return native
  if (element.hasAttribute('contenteditable') && isEditingHost(element)) return 'textbox'
  return isFocusable(element) || element.hasAttribute('onclick') ? 'click' : ''
}

function nativeRole(element: Element): string {
  switch (element.localName) {
    case 'a':
    case 'area':
      return element.hasAttribute('href') || element.hasAttribute('xlink:href') ? 'link' : ''
    case 'button':
      return 'button'
    case 'summary':
      return element.parentElement?.localName === 'details' ? 'button' : ''
    case 'input': {
      const { type } = element as HTMLInputElement
      return type === 'hidden' ? '' : (INPUTS[type] ?? 'textbox')
    }
    case 'select':
      return 'select'
    case 'textarea':
      return 'textbox'
    default:
      return ''
  }
}

function isFocusable(element: Element): boolean {
  const order = element.getAttribute('tabindex')
  return order !== null && Number.parseInt(order) >= 0
}

const AREAS_MOST = 200

/** The links of the map of a picture. */
export function areasOf({ useMap, ownerDocument }: HTMLImageElement): Element[] {
  const maps = [...ownerDocument.getElementsByName(useMap.slice(1))]
  return maps.flatMap((map) => [...map.querySelectorAll('area[href]')]).slice(0, AREAS_MOST)
}
