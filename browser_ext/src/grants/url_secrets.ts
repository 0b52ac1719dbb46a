// Which parts of a URL look like secrets, by their name or by themselves. devices/web/url_secrets.py has the same
// rules.

/** A parameter is secret when a word of its name is in this list, or its whole name ends with one of ENDINGS. */
const WORDS = new Set(
  (
    'apikey assertion auth authorization bearer cftoken code cookie cookies cred creds credential credentials csrf hmac jwt key keys nonce ' +
    'oauth otp pass passcode passphrase passwd password passwords pin pwd samlrequest samlresponse secret secrets sess session sid sig ' +
    'signature state ticket token tokens totp xsrf'
  ).split(' '),
)
const ENDINGS = (
  'token tokens secret password passwd passphrase sessionid sessid apikey accesskey privatekey signature ' +
  'credential credentials authcode jsessionid sessionkey'
).split(' ')
const LETTERS = /[a-z]+/g
const CAMEL = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g
/** A signed token (JWT), and prefixes of the keys of well-known services. */
const KNOWN = new RegExp(
  [
    'eyJ[A-Za-z0-9_-]{8,1000}\\.[A-Za-z0-9_-]{4,}',
    '(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\\w{16,}|glpat-[\\w-]{16,}|xox[a-z]-[\\w-]{10,}|ya29\\.[\\w-]{16,}',
    '(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\\w-]{30,}|[sr]k[-_](?:live|test|proj|ant)[-_][\\w-]{16,}|sk-[A-Za-z0-9]{20,}|[Bb]earer [^ ]{8,})',
  ].join('|'),
)
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

/** Spans of keys and tokens of a known form: start, and end (exclusive). */
export function knownIn(text: string): [number, number][] {
  return [...text.matchAll(new RegExp(KNOWN, 'g'))].map((match) => [match.index, match.index + match[0].length])
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
export function changesIn(text: string): number {
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
