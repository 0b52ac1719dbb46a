// Which fields of a form hold a secret: by type, name, label and value. `secrets.ts` says what is one.
import { isSecretName } from './secrets'
import { spansIn } from './secret_spans'

const SECRET_AUTOCOMPLETE = /\b(one-time-code|cc-(number|csc|exp)\S*|(current|new)-password)\b/
/** One digit in each of several fields. */
const DIGIT_FIELD = 'input[maxlength="1"]'
const DIGIT_FIELDS_LEAST = 4
/** Of the words around a field or a shadow tree, what may tell of a secret in it. */
export const NEAR_CHARACTERS = 300

export function isSecretField(field: HTMLInputElement): boolean {
  const names = [
    field.name,
    field.id,
    field.getAttribute('aria-label') ?? '',
    field.placeholder ?? '',
    ...labelsOf(field),
  ]
  // The attribute, not the property: Firefox empties the property for unknown words.
  const isNamed =
    field.type === 'password' ||
    SECRET_AUTOCOMPLETE.test(field.getAttribute('autocomplete') ?? '') ||
    isSecretName(...names)
  return isNamed || holdsSecret(names, field.value ?? '')
}

/** Fields for one digit of a code each. */
export function digitFieldsIn(root: Document | ShadowRoot): Element[] {
  const digits = [...root.querySelectorAll(DIGIT_FIELD)]
  return digits.length >= DIGIT_FIELDS_LEAST ? digits : []
}

/** What a field says beside its value may tell that the value is a secret. */
function holdsSecret(names: readonly string[], value: string): boolean {
  if (value.trim() === '') return false
  const label = `${names.join(' ').slice(0, NEAR_CHARACTERS)}: `
  const text = label + value
  return spansIn(text).some(([, end]) => end > label.length)
}

function labelsOf(field: HTMLInputElement): string[] {
  return [...(field.labels ?? [])].map((label) => label.textContent ?? '')
}
