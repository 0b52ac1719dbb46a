// What a control says within the name of another element, such as “Remind me in [5] days”: its value (accname 1.2, C).
import { roleOf } from './roles'

const TEXT_ROLES = new Set(['textbox', 'searchbox'])
const CHOICE_ROLES = new Set(['combobox', 'listbox'])
const RANGE_ROLES = new Set(['slider', 'spinbutton', 'scrollbar', 'progressbar', 'meter'])

/** Return null for what is no control with a value. A password is never told. */
export function embeddedValue(element: Element): string | null {
  const role = roleOf(element)
  if (isPassword(element)) return ''
  if (TEXT_ROLES.has(role)) return fieldWords(element) ?? element.textContent
  if (CHOICE_ROLES.has(role)) return choiceOf(element)
  if (RANGE_ROLES.has(role)) return rangeOf(element)
  return null
}

function isPassword(element: Element): boolean {
  return element.localName === 'input' && (element as HTMLInputElement).type === 'password'
}

function fieldWords(element: Element): string | null {
  const isField = element.localName === 'input' || element.localName === 'textarea'
  return isField ? (element as HTMLInputElement).value : null
}

function choiceOf(element: Element): string {
  if (element.localName === 'select')
    return [...(element as HTMLSelectElement).selectedOptions].map(({ text }) => text).join(' ')
  const choices = [...element.querySelectorAll('[role="option"][aria-selected="true"]')]
  return choices.map(({ textContent }) => textContent).join(' ') || (fieldWords(element) ?? '')
}

function rangeOf(element: Element): string {
  const value = element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow')
  if (value !== null) return value
  if (element.localName === 'meter' || element.localName === 'progress')
    return String((element as HTMLMeterElement).value)
  return fieldWords(element) ?? ''
}
