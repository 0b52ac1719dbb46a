// Which parts of a URL look like secrets, by their name or by themselves. thoughts/text/private/url_secrets.py has the
// same rules, and both read the words and forms of thoughts/text/private/secrets.json.

import { address, known } from '../../../thoughts/text/private/secrets.json'

/** A parameter is secret when a word of its name is in this list, or its whole name ends with one of ENDINGS. */
const WORDS = new Set(address.parameter_words.join(' ').split(' '))
const ENDINGS = address.parameter_endings.join(' ').split(' ')
const LETTERS = /[a-z]+/g
const CAMEL = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g
/** The forms of signed tokens (JWT) and of the keys of well-known services. */
const KNOWN = new RegExp(known.join('|'))
const HEXADECIMAL = /(?<![A-Za-z0-9])[0-9A-Fa-f]{32,}(?![A-Za-z0-9])/
const RUN = /[A-Za-z0-9]{20,}/g
const CHANGE = /(?<=[0-9])(?=[A-Za-z])|(?<=[A-Za-z])(?=[0-9])/g
const CHANGES_OF_CHANCE = 4
/** A parameter may hold another address with parameters, encoded once or more. */
const INSIDE = /[?&;#]/
/** A value without any of these holds no parameters, and needs no decoding. */
const CODED = /[?&;#=%+]/
const DEEPEST = 3

type Look = (text: string) => boolean

/** Return a query (without question mark) without its secret parameters. The others stay as they are written. */
export function withoutSecrets(query: string, look: Look): string {
  return query
    .split('&')
    .filter((part) => !isSecret(part, look))
    .join('&')
}

/** Return a path without parameters such as `;jsessionid=` in its segments. */
export function withoutSecretSegments(path: string, look: Look): string {
  return path
    .split('/')
    .map((segment) => withoutSecretParts(segment, look))
    .join('/')
}

/** Whether a text holds a key or token of a known form. */
export function looksKnown(text: string): boolean {
  return KNOWN.test(text)
}

/** Whether a text looks like a key, a token or a random number, whatever its name. */
export function looksSecret(text: string): boolean {
  if (looksKnown(text) || HEXADECIMAL.test(text)) return true
  return (text.match(RUN) ?? []).some((characters) => changesIn(characters) >= CHANGES_OF_CHANCE)
}

/** How often letters and digits alternate: rarely in words and numbers, often in random text. */
function changesIn(text: string): number {
  return text.match(CHANGE)?.length ?? 0
}

/** Whether `name=value`, still encoded, is a secret or holds one. */
function isSecret(parameter: string, look: Look, depth = 0): boolean {
  let isFound = false
  // Firefox's content scripts cannot iterate over it.
  new URLSearchParams(parameter).forEach((value, name) => {
    isFound ||= parameter.includes('=') && isSecretName(name)
    isFound ||= [name, value].some((text) => holdsSecret(text, look, depth))
  })
  return isFound
}

/** Whether a word of the name (`access-token`, `accessToken`) is listed, or the name begins or ends like a secret. */
function isSecretName(name: string): boolean {
  const words = name.toLowerCase().match(LETTERS) ?? []
  const camel = (name.match(CAMEL) ?? []).map((word) => word.toLowerCase())
  const whole = words.join('')
  if ([...words, ...camel].some((word) => WORDS.has(word))) return true
  return ENDINGS.some((ending) => whole.endsWith(ending)) || whole.startsWith('aspsessionid')
}

function holdsSecret(text: string, look: Look, depth: number): boolean {
  if (look(text)) return true
  return (
    depth < DEEPEST &&
    CODED.test(text) &&
    text.split(INSIDE).some((part) => part !== '' && isSecret(part, look, depth + 1))
  )
}

function withoutSecretParts(segment: string, look: Look): string {
  const [first = '', ...parts] = segment.split(';')
  return [first, ...parts.filter((part) => !isSecret(part, look))].join(';')
}
