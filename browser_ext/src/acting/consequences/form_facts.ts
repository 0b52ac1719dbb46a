// The facts of a form that code decides by: where it goes, how, and what kinds of fields it has.
import { isSecretField } from '../../private/secret_fields'
import { boundedText } from './bounded_text'

export interface FormFacts {
  method: 'get' | 'post' | 'dialog'
  /** Null where the address makes no sense. */
  action: URL | null
  hasAction: boolean
  textFields: number
  hasLongText: boolean
  hasCredential: boolean
  hasPassword: boolean
  choosesPassword: boolean
  hasFiles: boolean
  hasOpenCaptcha: boolean
  isSearch: boolean
  /** What the form really does where it can only say POST: _method=delete. */
  spokenMethod: string
  /** More fields or longer values than are looked at. */
  isTooLarge: boolean
}

type Submitter = HTMLButtonElement | HTMLInputElement
export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export const FIELDS_MOST = 500
export const VALUE_CHARACTERS = 20_000
const TEXT_TYPES = new Set([
  'text',
  'search',
  'email',
  'tel',
  'url',
  'number',
  'date',
  'time',
  'month',
  'week',
  'datetime-local',
])
const NO_VALUE_TYPES = new Set(['submit', 'button', 'reset', 'image', 'hidden'])
const CAPTCHA_ANSWER = /^(?:g-recaptcha-response|h-captcha-response|cf-turnstile-response|frc-captcha-solution)/
const SUBMIT_BUTTON = 'button:not([type="button" i], [type="reset" i]), input[type="submit" i], input[type="image" i]'
const FORM_BUTTON = 'button, input[type="submit" i], input[type="image" i]'

export function isSubmitButton(element: Element): element is Submitter {
  return element.matches(SUBMIT_BUTTON) && (element as Submitter).form !== null
}

/** The button that Enter in a field presses. */
export function defaultButton(form: HTMLFormElement): Submitter | null {
  return fieldsOf(form).find(isSubmitButton) ?? null
}

export function fieldsOf(form: HTMLFormElement): Element[] {
  // Not form.elements: a field of that name would stand in its way.
  const elements = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, 'elements')?.get?.call(form) as
    | HTMLFormControlsCollection
    | undefined
  const list: Element[] = []
  for (let at = 0; elements && at < Math.min(elements.length, FIELDS_MOST + 1); at++) {
    const element = elements[at]
    if (element) list.push(element)
  }
  // Elements leaves out buttons that are pictures.
  return [...list, ...form.querySelectorAll('input[type="image" i]')].slice(0, FIELDS_MOST + 1)
}

export function isField(element: Element): element is Field {
  return element.matches('input, textarea, select')
}

export function isCredential(field: Element): boolean {
  if (!isField(field)) return false
  return (field.value ?? '').length <= VALUE_CHARACTERS && isSecretField(field as HTMLInputElement)
}

/** Whether the owner would choose a new password in this field. */
export function isNewPassword(field: Element): boolean {
  return (field.getAttribute('autocomplete') ?? '').toLowerCase().includes('new-password')
}

export function factsOf(form: HTMLFormElement, submitter: Submitter | null): FormFacts {
  const elements = fieldsOf(form)
  const fields = elements.filter(isField)
  const inputs = fields.filter((field) => !NO_VALUE_TYPES.has(field.type))
  const passwords = fields.filter(({ type }) => type === 'password')
  const address = attributeOf(form, submitter, 'action')
  return {
    method: methodOf(form, submitter),
    action: urlOf(address ?? '', form),
    hasAction: address !== null,
    textFields: inputs.filter(({ type }) => TEXT_TYPES.has(type)).length,
    hasLongText: inputs.some(({ type }) => type === 'textarea') || form.querySelector('[contenteditable]') !== null,
    hasCredential: inputs.some(isCredential),
    hasPassword: passwords.length > 0,
    choosesPassword: passwords.length > 1 || passwords.some(isNewPassword),
    hasFiles: inputs.some((field) => field.type === 'file' && ((field as HTMLInputElement).files?.length ?? 0) > 0),
    hasOpenCaptcha: fields.some(({ name, value }) => CAPTCHA_ANSWER.test(name) && value === ''),
    isSearch: isSearchForm(form, fields),
    spokenMethod: spokenMethodOf(form, submitter, fields),
    isTooLarge: elements.length > FIELDS_MOST || fields.some(({ value }) => value.length > VALUE_CHARACTERS),
  }
}

function isSearchForm(form: HTMLFormElement, fields: readonly Field[]): boolean {
  return form.closest('[role="search" i], search') !== null || fields.some(({ type }) => type === 'search')
}

/** A button may send its form by another method, and to another address. */
function attributeOf(form: HTMLFormElement, submitter: Submitter | null, name: 'action' | 'method'): string | null {
  const own = submitter?.matches(FORM_BUTTON) ? submitter.getAttribute(`form${name}`) : null
  return own ?? form.getAttribute(name)
}

function methodOf(form: HTMLFormElement, submitter: Submitter | null): FormFacts['method'] {
  const method = (attributeOf(form, submitter, 'method') ?? '').trim().toLowerCase()
  return method === 'post' || method === 'dialog' ? method : 'get'
}

export function urlOf(address: string, element: Element): URL | null {
  const page = element.ownerDocument
  const text = address.trim() === '' ? page.URL : address
  return URL.canParse(text, page.baseURI) ? new URL(text, page.baseURI) : null
}

function spokenMethodOf(form: HTMLFormElement, submitter: Submitter | null, fields: readonly Field[]): string {
  const methodField = fields.find(({ name, type }) => type === 'hidden' && name === '_method')?.value
  return (methodField ?? scriptMethod(submitter ?? form) ?? '').slice(0, 20).toLowerCase()
}

/** The method that a library (Rails, Turbo, htmx) sends an element by. */
export function scriptMethod(element: Element): string | null {
  const ownMethod = element.getAttribute('data-method') ?? element.getAttribute('data-turbo-method')
  if (ownMethod !== null) return ownMethod.slice(0, 20).toLowerCase()
  const htmx = ['post', 'put', 'patch', 'delete'].find(
    (method) => element.hasAttribute(`hx-${method}`) || element.hasAttribute(`data-hx-${method}`),
  )
  return htmx ?? null
}

/** The name of a button, where the accessible name of another element was handed in. */
export function plainName(button: Element): string {
  const label = button.getAttribute('aria-label') ?? ''
  const value = (button as HTMLInputElement).value ?? ''
  return label || boundedText(button, 200) || value.slice(0, 200)
}
