// Keys by name, and what browsers do when they are pressed: events of a script type nothing by themselves.
import { shadowOf } from '../../extract/shadow_roots'
import { defaultButton } from '../consequences/form_facts'
import { ActFailure } from './failure'
import { focusedElement, moveByTab } from './focus'
import { modifierFlags, type Modifier } from './pointer'
import { insertText, isTextField, runCommand, setByPrototype, enteredText } from './text'

export interface Key {
  key: string
  code: string
  keyCode: number
  /** What it writes, or ''. */
  text: string
}

const NAMED: Partial<Record<string, [code: string, keyCode: number, text?: string]>> = {
  Enter: ['Enter', 13, '\r'],
  Escape: ['Escape', 27],
  Tab: ['Tab', 9],
  Backspace: ['Backspace', 8],
  Delete: ['Delete', 46],
  Insert: ['Insert', 45],
  Home: ['Home', 36],
  End: ['End', 35],
  PageUp: ['PageUp', 33],
  PageDown: ['PageDown', 34],
  ArrowLeft: ['ArrowLeft', 37],
  ArrowUp: ['ArrowUp', 38],
  ArrowRight: ['ArrowRight', 39],
  ArrowDown: ['ArrowDown', 40],
}
const FUNCTION_KEY = /^F([1-9]|1[0-2])$/
const MODIFIERS = new Set<string>(['Control', 'Shift', 'Alt', 'Meta'])

/** Return the keys that are modifiers and the one that is pressed. Throws ActFailure for a key that does not exist. */
export function keysOf(combination: string): { modifiers: Modifier[]; key: Key } {
  const names = combination.split('+')
  const name = names.pop() ?? ''
  return { modifiers: names.filter((one): one is Modifier => MODIFIERS.has(one)), key: keyNamed(name) }
}

function keyNamed(name: string): Key {
  if (name === 'Space') return { key: ' ', code: 'Space', keyCode: 32, text: ' ' }
  if (/^.$/u.test(name)) return characterKey(name)
  const entry = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined
  if (entry) return { key: name, code: entry[0], keyCode: entry[1], text: entry[2] ?? '' }
  const number = FUNCTION_KEY.exec(name)?.[1]
  if (number) return { key: name, code: name, keyCode: 111 + Number(number), text: '' }
  throw new ActFailure('unsupported', `There is no key ${name}.`)
}

function characterKey(character: string): Key {
  const upper = character.toUpperCase()
  const code = /^[A-Z]$/.test(upper) ? `Key${upper}` : /^[0-9]$/.test(character) ? `Digit${character}` : ''
  const keyCode = code ? upper.charCodeAt(0) : character === ' ' ? 32 : 0
  return { key: character, code: character === ' ' ? 'Space' : code, keyCode, text: character }
}

/** Press a key in the control with the focus, and do what browsers do by default. */
export function pressKey(page: Document, combination: string): void {
  const { modifiers, key } = keysOf(combination)
  const target = focusedElement(page, shadowOf) ?? page.body ?? page.documentElement
  if (sendKey(target, 'keydown', key, modifiers)) {
    const writes = key.text !== '' && !modifiers.includes('Control') && !modifiers.includes('Meta')
    if (!writes || sendKey(target, 'keypress', key, modifiers)) doByDefault(page, target, key, modifiers)
  }
  if (target.isConnected) sendKey(target, 'keyup', key, modifiers)
}

/** Type one character with its events. A new line is a press of Enter, which may send: it is pressed for itself. */
export function typeCharacter(target: Element, character: string): void {
  if (/[\r\n]/.test(character)) throw new ActFailure('unsupported', 'Type one line, then press Enter.')
  const key = characterKey(character)
  if (!sendKey(target, 'keydown', key) || !sendKey(target, 'keypress', key)) return void sendKey(target, 'keyup', key)
  writeText(target, character)
  sendKey(target, 'keyup', key)
}

function sendKey(target: Element, type: string, key: Key, modifiers: readonly Modifier[] = []): boolean {
  const keyCode = type === 'keypress' && key.text ? key.text.charCodeAt(0) : key.keyCode
  const init = {
    key: key.key,
    code: key.code,
    bubbles: true,
    cancelable: true,
    composed: true,
    view: target.ownerDocument.defaultView,
  }
  const numbers = { keyCode, which: keyCode, charCode: type === 'keypress' ? keyCode : 0 }
  return target.dispatchEvent(new KeyboardEvent(type, { ...init, ...numbers, ...modifierFlags(modifiers) }))
}

// What browsers do
// -----------------------------------------------------------------------------------------------------------------

function doByDefault(page: Document, target: Element, key: Key, modifiers: readonly Modifier[]): void {
  const isCommand = modifiers.includes('Control') || modifiers.includes('Meta')
  if (isCommand) return key.key.toLowerCase() === 'a' ? selectAll(page, target) : undefined
  if (modifiers.includes('Alt')) return
  if (key.key === 'Tab') return moveByTab(page, modifiers.includes('Shift'))
  if (key.key === 'Enter') return enter(target, modifiers)
  if (key.key === 'Escape') return closeDialog(page)
  if (key.key === ' ' && !isWritable(target)) return press(target, 'button, summary, input, [role="button"]')
  if (key.key === 'Backspace' || key.key === 'Delete') return erase(page, target, key.key)
  if (key.key.startsWith('Arrow')) return step(target, key.key)
  if (key.text && isWritable(target)) writeText(target, modifiers.includes('Shift') ? key.text.toUpperCase() : key.text)
}

function isWritable(target: Element): boolean {
  return isTextField(target) || (target as HTMLElement).isContentEditable
}

/** Write at the cursor. */
function writeText(target: Element, text: string): void {
  if (insertText(target.ownerDocument, text) || !isTextField(target)) return
  setByPrototype(target, enteredText(target) + text, text)
}

/**
 * Enter in a field submits its form as browsers do: by its first button, or without one if it is the only text field.
 */
function enter(target: Element, modifiers: readonly Modifier[]): void {
  if (target.matches('textarea') || (target as HTMLElement).isContentEditable) return breakLine(target, modifiers)
  if (target.matches('a[href], button, summary')) return press(target, 'a, button, summary')
  if (target.matches('input[type="submit"], input[type="image"], input[type="button"], input[type="reset"]'))
    return press(target, 'input')
  const form = target instanceof HTMLInputElement ? target.form : null
  if (form) submitByEnter(form)
}

export function submitByEnter(form: HTMLFormElement): void {
  const button = defaultButton(form)
  if (button?.matches(':disabled')) return
  if (button)
    button.dispatchEvent(
      new MouseEvent('click', {
        bubbles: true,
        cancelable: true,
        composed: true,
        view: form.ownerDocument.defaultView,
      }),
    )
  else if (textFieldsOf(form) <= 1) HTMLFormElement.prototype.requestSubmit.call(form)
}

function textFieldsOf(form: HTMLFormElement): number {
  return elementsOf(form).filter((element) => element.matches('input') && isTextField(element)).length
}

/** Not `form.elements`: a field of that name would stand in its way. */
function elementsOf(form: HTMLFormElement): Element[] {
  const property = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, 'elements')
  const elements = property?.get?.call(form) as HTMLFormControlsCollection | undefined
  return elements ? [...elements] : []
}

function press(target: Element, selector: string): void {
  const init = { bubbles: true, cancelable: true, composed: true, view: target.ownerDocument.defaultView }
  if (target.matches(selector)) target.dispatchEvent(new MouseEvent('click', init))
}

function breakLine(target: Element, modifiers: readonly Modifier[] = []): void {
  const page = target.ownerDocument
  const isParagraph = (target as HTMLElement).isContentEditable && !modifiers.includes('Shift')
  if (runCommand(page, isParagraph ? 'insertParagraph' : 'insertLineBreak')) return
  if (isTextField(target) && target.matches('textarea')) setByPrototype(target, `${enteredText(target)}\n`, '\n')
}

function closeDialog(page: Document): void {
  const dialog = [...page.querySelectorAll<HTMLDialogElement>('dialog[open]')].findLast((one) => one.matches(':modal'))
  if (dialog?.dispatchEvent(new Event('cancel', { cancelable: true }))) dialog.close()
}

function selectAll(page: Document, target: Element): void {
  if (isTextField(target)) target.select()
  else page.getSelection()?.selectAllChildren((target as HTMLElement).isContentEditable ? target : page.body)
}

function erase(page: Document, target: Element, key: 'Backspace' | 'Delete'): void {
  if (!isWritable(target) || runCommand(page, key === 'Backspace' ? 'delete' : 'forwardDelete')) return
  if (isTextField(target) && key === 'Backspace') setByPrototype(target, enteredText(target).slice(0, -1), null)
}

/** Numbers, ranges, lists and sets of radio buttons go on by arrows. */
function step(target: Element, key: string): void {
  const by = key === 'ArrowDown' || key === 'ArrowRight' ? 1 : -1
  if (target instanceof HTMLSelectElement) {
    const index = target.selectedIndex + by
    if (target.multiple || index < 0 || index >= target.options.length) return
    target.selectedIndex = index
  } else if (target instanceof HTMLInputElement && target.type === 'radio') {
    const set = [...target.ownerDocument.querySelectorAll<HTMLInputElement>('input[type="radio"]')].filter(
      (one) => one.name === target.name && one.form === target.form && !one.disabled,
    )
    const next = set[(set.indexOf(target) + by + set.length) % set.length]
    next?.focus()
    return next?.click()
  } else if (target instanceof HTMLInputElement && (target.type === 'range' || target.type === 'number')) {
    if (target.type === 'number' && key !== 'ArrowUp' && key !== 'ArrowDown') return // the cursor moves
    if (key === 'ArrowUp' || key === 'ArrowRight') target.stepUp()
    else target.stepDown()
  } else return
  for (const type of ['input', 'change']) target.dispatchEvent(new Event(type, { bubbles: true, composed: true }))
}
