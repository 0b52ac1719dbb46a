// Sets one control to a value, whatever kind it is, and looks whether the page took it.
import { isSecret } from '../snapshot/states'
import { roleOf } from '../names/roles'
import { isNewPassword } from './credential'
import { usable } from './actionable'
import { chooseFrom, type Choice } from './choices'
import { chooseInCombobox, chooseInListbox, isCombobox, type Guard } from './combobox'
import { ActFailure } from './failure'
import { moveFocus } from './focus'
import { typeCharacter } from './keys'
import { click } from './pointer'
import {
  assertWritable,
  editorAround,
  enterText,
  isExactField,
  isTextField,
  setByPrototype,
  setExactly,
  enteredText,
} from './text'
import { until } from './until'

export type FieldContent = string | boolean | string[]

const SWITCH_ROLES = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio'])
const ON = /^(true|on|yes)$/i
const VERIFY_MS = 300
const OPTIONS_MS = 1_500
const VALUE_CHARACTERS = 200

/** `guard`: what is pressed on the way must do nothing more. */
export async function setField(element: Element, value: FieldContent, guard: Guard): Promise<void> {
  assertNoSecret(element)
  if (element.matches('input[type="file" i]')) throw new ActFailure('unsupported', 'Files are uploaded, not set.')
  if (isSwitch(element)) return setSwitch(element, isOnIn(value), guard)
  if (typeof value === 'boolean') throw new ActFailure('not_editable', 'The control takes a text, not true or false.')
  if (element instanceof HTMLSelectElement) {
    const wish = [value].flat()
    await until(element.ownerDocument, () => (hasOptions(element, wish) ? true : null), OPTIONS_MS)
    setSelect(element, wish)
    return
  }
  if (roleOf(element) === 'listbox') return chooseInListbox(element, [value].flat(), guard)
  const [text, ...others] = [value].flat()
  if (others.length > 0 && !isCombobox(element)) throw new ActFailure('not_editable', 'The control takes one value.')
  if (isCombobox(element)) {
    for (const one of [value].flat()) await chooseInCombobox(element, one, guard)
    return
  }
  await usable(element)
  if (isExactField(element)) {
    setExactly(element, text ?? '')
    return
  }
  const target = isTextField(element) ? element : editorAround(element)
  if (!target) throw new ActFailure('not_editable', 'The control takes no value. It may be one to click.')
  await enterText(target, text ?? '', typeCharacter)
}

/** What only the owner enters. */
export function assertNoSecret(element: Element): void {
  if (isSecret(element) || isNewPassword(element))
    throw new ActFailure('secret_refused', 'Only the owner enters passwords, codes and card numbers: take_over.')
}

function isSwitch(element: Element): boolean {
  return isNativeSwitch(element) || SWITCH_ROLES.has(roleOf(element))
}

async function setSwitch(element: Element, isOn: boolean, guard: Guard): Promise<void> {
  if (isChecked(element) === isOn) return
  const { hit, point } = await usable(element)
  guard.assertFree(element, { do: 'click' })
  click(hit, { point })
  const isSet = (): true | null => (isChecked(element) === isOn ? true : null)
  if (!(await until(element.ownerDocument, isSet, VERIFY_MS)))
    throw new ActFailure('value_refused', `The control stays ${isOn ? 'off' : 'on'}.`)
}

function isChecked(element: Element): boolean {
  return element instanceof HTMLInputElement ? element.checked : element.getAttribute('aria-checked') === 'true'
}

/** By label, value, or both; several only where the list takes several. */
function setSelect(select: HTMLSelectElement, wish: readonly string[]): void {
  if (wish.length > 1 && !select.multiple) throw new ActFailure('not_editable', 'The list takes one option.')
  const targets = optionsOf(select, wish)
  moveFocus(select)
  choose(select, targets)
  for (const type of ['input', 'change']) select.dispatchEvent(new Event(type, { bubbles: true, composed: true }))
  if (select.isConnected && !targets.every((option) => option.selected || !option.isConnected))
    throw new ActFailure('value_refused', `The list now shows “${select.selectedOptions[0]?.label ?? ''}”.`)
}

/** Pages fill a list once another one was chosen from. */
function hasOptions(select: HTMLSelectElement, wish: readonly string[]): boolean {
  try {
    return optionsOf(select, wish).length > 0 || wish.length === 0
  } catch {
    return false
  }
}

function optionsOf(select: HTMLSelectElement, wish: readonly string[]): HTMLOptionElement[] {
  const options = [...select.options].filter((option) => !option.matches(':disabled'))
  const choices: Choice<HTMLOptionElement>[] = options.map((target) => ({
    label: target.label,
    value: target.value,
    target,
  }))
  return wish.map((one) => chooseFrom(choices, one).target)
}

function choose(select: HTMLSelectElement, targets: readonly HTMLOptionElement[]): void {
  if (select.multiple) for (const option of select.options) option.selected = targets.includes(option)
  else if (targets[0]) targets[0].selected = true
  else select.selectedIndex = -1
}

// What sends or opens something as soon as it changes
// -----------------------------------------------------------------------------------------------------------------

/** Look at a native field as it would be, without a word to the page. */
export function asItWouldBe(field: NativeField, value: FieldContent, look: () => void): void {
  const restore = putSilently(field, value)
  try {
    look()
  } finally {
    restore()
  }
}

/** Return how to put it back. */
function putSilently(field: NativeField, value: FieldContent): () => void {
  if (field instanceof HTMLSelectElement) {
    const before = [...field.options].filter(({ selected }) => selected)
    choose(field, optionsOf(field, [value].flat().map(String)))
    return () => choose(field, before)
  }
  if (isNativeSwitch(field)) {
    const others = radiosWith(field).filter(({ checked }) => checked)
    const { checked } = field
    field.checked = isOnIn(value)
    return () => {
      field.checked = checked
      for (const other of others) other.checked = true
    }
  }
  assertWritable(field)
  const [before, text] = [field.value, oneText(value)]
  field.value = text
  const now = field.value
  if (now.toLowerCase() === text.toLowerCase()) return () => void (field.value = before)
  field.value = before
  throw new ActFailure('value_refused', `The field does not take “${text.slice(0, VALUE_CHARACTERS)}”.`)
}

function oneText(value: FieldContent): string {
  const [text, ...others] = [value].flat()
  if (typeof text !== 'string' || others.length > 0) throw new ActFailure('not_editable', 'The control takes one text.')
  return text
}

/** In one change, so that nothing is sent that the owner was not shown. */
export function setAtOnce(field: NativeField, value: FieldContent): void {
  if (field instanceof HTMLSelectElement) return setSelect(field, [value].flat().map(String))
  if (isNativeSwitch(field)) {
    if (field.checked !== isOnIn(value)) field.click()
    return
  }
  moveFocus(field)
  setByPrototype(field, oneText(value), oneText(value))
}

export type NativeField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** A field of the browser that holds its own value; none is one for files, which only the owner chooses. */
export function isNativeField(element: Element): element is NativeField {
  return element.matches('input:not([type="file" i]), textarea, select')
}

export function isNativeSwitch(element: Element): element is HTMLInputElement {
  return element.matches('input[type="checkbox" i], input[type="radio" i]')
}

function radiosWith({ type, name, form, ownerDocument }: HTMLInputElement): HTMLInputElement[] {
  if (type !== 'radio' || name === '') return []
  const all = ownerDocument.querySelectorAll<HTMLInputElement>('input[type="radio" i]')
  return [...all].filter((one) => one.name === name && one.form === form)
}

function isOnIn(value: FieldContent): boolean {
  return typeof value === 'boolean' ? value : ON.test(String(value))
}

/** What the control holds now, for the one who set it. A secret is never told. */
export function valueShown(element: Element): string {
  if (isSecret(element) || isNewPassword(element)) return ''
  if (isSwitch(element)) return String(isChecked(element))
  if (element instanceof HTMLSelectElement)
    return [...element.selectedOptions]
      .map(({ label }) => label)
      .join(', ')
      .slice(0, VALUE_CHARACTERS)
  if (isExactField(element)) return element.value
  const target = isTextField(element) ? element : editorAround(element)
  return target ? enteredText(target).slice(0, VALUE_CHARACTERS) : ''
}
