// What a form would send, as the browser itself collects it: also what a script, a component or the button adds.
import { FIELDS_MOST, isSubmitButton } from './form_facts'

export interface Entry {
  name: string
  value: string
}

export interface Entries {
  texts: Entry[]
  files: File[]
}

/**
 * Null: it cannot be known, or it is more than is looked at. `data`: what the browser collected to send it. Where a
 * button that is a picture is pressed is left out: nobody could be shown it.
 */
export function entriesOf(form: HTMLFormElement, submitter: HTMLElement | null, data?: FormData): Entries | null {
  const all = data ?? collected(form, submitter)
  if (all === null) return null
  const texts: Entry[] = []
  const files: File[] = []
  const places = placesOf(submitter)
  for (const [name, value] of all) {
    if (texts.length + files.length > FIELDS_MOST) return null
    if (typeof value !== 'string') {
      if (value.size > 0 || value.name !== '') files.push(value)
    } else if (!places.has(name)) texts.push({ name, value })
  }
  return { texts, files }
}

/** The page hears of it by the event `formdata`, as whenever a script looks at a form. */
function collected(form: HTMLFormElement, submitter: HTMLElement | null): FormData | null {
  const isOwn = submitter !== null && isSubmitButton(submitter) && submitter.form === form
  try {
    return new FormData(form, isOwn ? submitter : null)
  } catch (reason) {
    console.info('Penny: the form is being collected already', reason)
    return null
  }
}

function placesOf(submitter: HTMLElement | null): ReadonlySet<string> {
  if (!submitter?.matches('input[type="image" i]')) return new Set()
  const name = submitter.getAttribute('name')
  return new Set(['x', 'y'].map((axis) => (name ? `${name}.${axis}` : axis)))
}

/** Line ends become those of the wire, whichever a field has. */
function sameText(one: string, other: string): boolean {
  return one === other || wireText(one) === wireText(other)
}

function wireText(text: string): string {
  return text.replace(/\r\n?|\n/g, '\r\n')
}

/** Of a field without its files: what it would send, and the text that the owner sees of it. */
export interface FieldText {
  field: Element
  name: string
  sent: string
  text: string
}

export function optionTexts(select: HTMLSelectElement): FieldText[] {
  return Array.from(select.options)
    .filter(({ selected, disabled, parentElement }) => selected && !disabled && !parentElement?.matches(':disabled'))
    .map(({ value, text }) => ({ field: select, name: select.name, sent: value, text }))
}

/** Return the field of an entry, and take it out of those that are left. */
export function takeField(left: FieldText[], { name, value }: Entry): FieldText | null {
  const fits = (one: FieldText): boolean => one.name === name && sameText(one.sent, value)
  const at = left.findIndex(fits)
  const place = at >= 0 ? at : left.findIndex((one) => one.name === name)
  return left.splice(place < 0 ? left.length : place, 1)[0] ?? null
}
