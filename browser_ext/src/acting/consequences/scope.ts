// What an act would send besides its control: the fields of the form, or of the part of the page around the control.
import { digitFieldsIn } from '../../private/secret_fields'
import { oneLine, boundedText } from './bounded_text'
import { entriesOf, type FieldText, optionTexts, takeField } from './entries'
import {
  type Field,
  FIELDS_MOST,
  fieldsOf,
  isCredential,
  isField,
  isSubmitButton,
  VALUE_CHARACTERS,
} from './form_facts'
import { dialogOf, formOf } from './verdict'

export interface SentField {
  label: string
  name: string
  /** As the owner sees it: of a choice, its text. */
  value: string
  sent: string
  isCredential: boolean
  /** The page does not show it: a hidden field, or the value of the button. */
  isHidden: boolean
}

export interface Scope {
  fields: SentField[]
  files: File[]
}

/** `submitter`: the button by which a form is sent. `data`: what the browser collected of it. */
export interface Sending {
  element: Element
  submitter: HTMLElement | null
  data?: FormData
}

const FIELDS = 'input, textarea, select, [contenteditable]:not([contenteditable="false" i])'
const NO_VALUE = 'input[type="submit" i], input[type="button" i], input[type="reset" i], input[type="image" i]'
const FILES = 'input[type="file" i]'
const CHOICES = 'input[type="checkbox" i], input[type="radio" i]'
/** A control without a form sends what stands near it. */
const ANCESTORS = 5
const LABEL_CHARACTERS = 80

/** Null: there is more than is looked at, so that nobody could say what is sent. */
export function scopeOf({ element, submitter, data }: Sending): Scope | null {
  const [form, elements] = [formOf(element), elementsOf(element)]
  if (elements === null || elements.length > FIELDS_MOST) return null
  const left: FieldText[] = []
  for (const field of elements.filter((one) => !one.matches(':disabled'))) {
    const texts = textsOf(field)
    if (texts === null) return null
    left.push(...texts)
  }
  const digits = new Set(digitFieldsIn(element.ownerDocument))
  const sentField = ({ field, name, sent, text }: FieldText): SentField => ({
    label: labelOf(field),
    name,
    value: text,
    sent,
    isCredential: isCredential(field) || digits.has(field),
    isHidden: field.matches('input[type="hidden" i]'),
  })
  const files = filesOf(elements)
  if (!form) return { fields: left.map(sentField), files }
  const entries = entriesOf(form, submitter, data)
  if (!entries || entries.texts.some(({ value }) => value.length > VALUE_CHARACTERS)) return null
  const fields = entries.texts.map((entry) => {
    const field = takeField(left, entry)
    if (field) return sentField(field.sent === entry.value ? field : { ...field, sent: entry.value, text: entry.value })
    const isHidden = submitter?.getAttribute('name') === entry.name
    return { label: oneLine(entry.name, LABEL_CHARACTERS), ...entry, sent: entry.value, isCredential: false, isHidden }
  })
  // What has no name is sent by scripts alone. It counts as sent: nobody can know.
  const others = left.map(sentField)
  return { fields: [...fields, ...others], files: [...new Set([...files, ...entries.files])] }
}

function elementsOf(element: Element): Element[] | null {
  const form = formOf(element)
  if (form) {
    const editable = [...form.querySelectorAll('[contenteditable]:not([contenteditable="false" i])')]
    const fields = fieldsOf(form)
    return fields.length > FIELDS_MOST ? null : [...fields.filter(isField), ...editable]
  }
  if (isSubmitButton(element)) return []
  let around: Element | null = dialogOf(element) ?? element.parentElement
  for (let steps = 0; around && steps < ANCESTORS && !around.matches('body, main'); steps++) {
    const fields = around.querySelectorAll(FIELDS)
    if (fields.length > 0)
      return Array.from({ length: Math.min(fields.length, FIELDS_MOST + 1) }, (_, at) => fields[at]).filter(
        (field) => field !== undefined,
      )
    around = around.parentElement
  }
  return element.matches(FIELDS) ? [element] : []
}

/** Null: more than is looked at. */
function textsOf(field: Element): FieldText[] | null {
  if (field.matches(NO_VALUE) || field.matches(FILES)) return []
  if (field.matches(CHOICES) && !(field as HTMLInputElement).checked) return []
  const texts = field.matches('select')
    ? optionTexts(field)
    : [{ field, name: field.getAttribute('name') ?? '', ...sameBoth(valueOf(field)) }]
  return texts.some(({ text, sent }) => Math.max(text.length, sent.length) > VALUE_CHARACTERS) ? null : texts
}

function valueOf(field: Element): string {
  return isField(field) ? field.value : boundedText(field, VALUE_CHARACTERS + 1)
}

function sameBoth(text: string): Pick<FieldText, 'sent' | 'text'> {
  return { sent: text, text }
}

function labelOf(field: Element): string {
  const labels = isField(field) ? [...((field as HTMLInputElement).labels ?? [])].slice(0, 3) : []
  const names = [
    ...labels.map((label) => labelText(label, field as Field)),
    field.getAttribute('aria-label') ?? '',
    field.getAttribute('placeholder') ?? '',
    field.getAttribute('title') ?? '',
    field.getAttribute('name') ?? '',
  ]
  return names.map((name) => oneLine(name, LABEL_CHARACTERS)).find((name) => name !== '') ?? ''
}

/** A label may lie around its field, whose options and text are not its name. */
function labelText(label: Element, field: Field): string {
  if (!label.contains(field)) return boundedText(label, LABEL_CHARACTERS)
  return oneLine(
    Array.from(label.childNodes, (node) => (node.nodeType === 3 ? node.nodeValue : '')).join(' '),
    LABEL_CHARACTERS,
  )
}

function filesOf(elements: readonly Element[]): File[] {
  const fields = elements.filter((one) => one.matches(FILES) && !one.matches(':disabled'))
  return fields.flatMap((one) => [...((one as HTMLInputElement).files ?? [])])
}
