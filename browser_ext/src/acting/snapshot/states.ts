// What a control says about itself after its name: its value, whether it is on, open, needed, wrong.
import { oneLine } from '../../extract/plain_text'
import { digitFieldsIn, isSecretField } from '../../private/secret_fields'
import { visibleText } from '../../extract/visibility/visible_text'
import { isEditingHost, ownRole } from '../names/roles'
import { shorten } from './line'

const VALUE_CHARACTERS = 60
const OPTION_CHARACTERS = 24
const OPTIONS_MOST = 4
const MESSAGE_CHARACTERS = 60
const MASK = '••••'
/** Their value is their name, or is nothing that the owner wrote. */
const WITHOUT_VALUE = new Set('button submit reset image checkbox radio hidden'.split(' '))

/** Of a combobox: they say themselves what is chosen. */
const OWN_PARTS = 'input, textarea, select, [role="option"], [contenteditable]'

/** Return the states of a control, each with a space before it. */
export function statesOf(element: Element, isFocused: boolean, name: string): string {
  if (isPlain(element)) return isFocused ? ' >' : ''
  return [
    controlValue(element, name),
    checkOf(element),
    isMarked(element) ? ' •' : '',
    openOf(element),
    isDisabled(element) ? ' disabled' : '',
    has(element, 'required') ? ' required' : '',
    has(element, 'readonly') ? ' readonly' : '',
    aria(element, 'busy') === 'true' ? ' busy' : '',
    messageOf(element),
    isFocused ? ' >' : '',
  ].join('')
}

/** A link that says nothing of itself, as most controls of a page. */
function isPlain(element: Element): boolean {
  return (
    element.localName === 'a' &&
    !element.getAttributeNames().some((name) => name.startsWith('aria-') || name === 'contenteditable')
  )
}

function aria(element: Element, name: string): string | null {
  return element.getAttribute(`aria-${name}`)
}

/** By HTML's attribute, or ARIA's. */
function has(element: Element, name: 'required' | 'readonly'): boolean {
  return (isField(element) && element.hasAttribute(name)) || aria(element, name) === 'true'
}

function isField(element: Element): boolean {
  return element.localName === 'input' || element.localName === 'textarea' || element.localName === 'select'
}

function isDisabled(element: Element): boolean {
  return element.matches(':disabled') || aria(element, 'disabled') === 'true'
}

export function isSecret(element: Element): boolean {
  if (element.localName !== 'input' && element.localName !== 'textarea') return false
  const field = element as HTMLInputElement
  if (WITHOUT_VALUE.has(field.type)) return false
  return isSecretField(field) || isDigitField(field)
}

function isDigitField(field: HTMLInputElement): boolean {
  return field.maxLength === 1 && digitFieldsIn(field.getRootNode() as Document | ShadowRoot).includes(field)
}

function controlValue(element: Element, name: string): string {
  if (element.localName === 'select') return choiceOf(element as HTMLSelectElement)
  if (isSecret(element)) return (element as HTMLInputElement).value ? ` secret = ${MASK}` : ' secret'
  if (element.localName === 'input' && WITHOUT_VALUE.has((element as HTMLInputElement).type)) return ''
  const value = isField(element) ? fieldValue(element as HTMLInputElement) : ownValue(element, name)
  const short = shorten(value, VALUE_CHARACTERS)
  return short ? ` = ${short}` : ''
}

/** Of a file only its name: browsers put a path before it that means nothing. */
function fieldValue({ type, value }: HTMLInputElement): string {
  return type === 'file' ? value.replace(/^.*[\\/]/, '') : value
}

function ownValue(element: Element, name: string): string {
  if (isEditingHost(element)) return visibleText(element)
  return aria(element, 'valuetext') ?? aria(element, 'valuenow') ?? shownChoice(element, name)
}

/** A combobox without a field shows in itself what is chosen. Its name may have that too. */
function shownChoice(element: Element, name: string): string {
  if (ownRole(element) !== 'combobox' || element.querySelector(OWN_PARTS)) return ''
  const choice = oneLine(visibleText(element))
  return name.includes(choice) ? '' : choice
}

function choiceOf(select: HTMLSelectElement): string {
  const options = [...select.options]
  const choices = [...select.selectedOptions].map(({ text }) => shorten(text, OPTION_CHARACTERS))
  const others = options.filter(({ selected, disabled }) => !selected && !disabled)
  const texts = others.slice(0, OPTIONS_MOST).map(({ text }) => shorten(text, OPTION_CHARACTERS))
  const rest = others.length > OPTIONS_MOST ? [`+${others.length - OPTIONS_MOST}`] : []
  const offer = texts.length > 0 ? ` (${[...texts, ...rest].join(' | ')})` : ''
  return `${choices.length > 0 ? ` = ${choices.join(', ')}` : ''}${offer}`
}

function checkOf(element: Element): string {
  const input = element as HTMLInputElement
  const isBox = element.localName === 'input' && (input.type === 'checkbox' || input.type === 'radio')
  const state = aria(element, 'checked')
  if ((isBox && input.indeterminate) || state === 'mixed' || aria(element, 'pressed') === 'mixed') return ' ~'
  return (isBox ? input.checked : state === 'true') ? ' ✓' : ''
}

function isMarked(element: Element): boolean {
  const current = aria(element, 'current')
  if (current !== null && current !== '' && current !== 'false') return true
  return aria(element, 'pressed') === 'true' || aria(element, 'selected') === 'true'
}

function openOf(element: Element): string {
  const parent = element.localName === 'summary' ? element.parentElement : null
  const state = parent?.localName === 'details' ? String(parent.hasAttribute('open')) : aria(element, 'expanded')
  return state === 'true' ? ' −' : state === 'false' ? ' +' : ''
}

function messageOf(element: Element): string {
  const invalid = aria(element, 'invalid')
  const isWrong = (invalid !== null && invalid !== '' && invalid !== 'false') || isUserInvalid(element)
  if (!isWrong) return ''
  const message = shorten(
    describedBy(element) || (element as HTMLInputElement).validationMessage || '',
    MESSAGE_CHARACTERS,
  )
  return ` !${message || 'invalid'}`
}

/** Checked by the browser once the owner left the field. */
function isUserInvalid(element: Element): boolean {
  try {
    return isField(element) && element.matches(':user-invalid')
  } catch {
    return false // an older browser does not know the state
  }
}

function describedBy(element: Element): string {
  const ids = (aria(element, 'errormessage') ?? aria(element, 'describedby') ?? '').split(/\s+/)
  const root = element.getRootNode() as Document | ShadowRoot
  return ids
    .map((id) => (id ? root.getElementById?.(id) : null))
    .map((part) => (part ? visibleText(part) : ''))
    .join(' ')
}
