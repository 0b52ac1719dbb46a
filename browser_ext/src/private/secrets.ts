// Finds secrets in a text: numbers with a check digit, known shapes, and what words near by say to be one. Also which
// fields of a form hold a secret, by their names. thoughts/text/private/secrets.py has the same rules.
import data from '../../../thoughts/text/private/secrets.json'
import { blank, entriesIn, fold, Nearness, Words, type Span } from './words'

interface Kind {
  name: string
  pattern: RegExp
  check?: string
  near?: string
  except?: string
  before?: number
  after?: number
  line?: boolean
  chain?: number
  from?: number
}

type Check = (text: string, start: number, end: number) => Span | null

export const TEXT_CHARACTERS = 20_000
const CARD_DIGITS = 13
const IBAN_CHARACTERS = 15
const PARTS_MOST = 20
const DIGITS_OF_A_NUMBER = 5
const PASSWORD_CHARACTERS = 4
const CODED_CHARACTERS = 8
const CHANGES_OF_CHANCE = 3
const SEPARATOR = /[^\p{L}\p{N}]/gu
const CHANGE = /(?<=[0-9])(?=[A-Za-z])|(?<=[A-Za-z])(?=[0-9])/g
const CAMEL = /(?<=[a-z0-9])(?=[A-Z])/g
const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/
const INNER_CASE = /.\p{Lu}/u
const PLAIN = /^[\p{L}\p{M}'’.-]*$/u
const HEXADECIMAL = /^[0-9a-fA-F]{32,}$/

const lists = new Map(Object.entries<string[]>(data.near).map(([name, lines]) => [name, new Words(entriesIn(lines))]))
const fields = new Words(entriesIn(data.fields))
const noPasswords = new Words(entriesIn(data.no_passwords))
const forms = [
  { name: 'key', pattern: data.known.join('|') },
  { name: 'private key', pattern: data.private_key },
]
const kinds: Kind[] = [...forms, ...data.kinds].map((kind) => ({
  ...kind,
  pattern: new RegExp(kind.pattern.replaceAll('LETTERS', data.letters), 'gu'),
}))

/**
 * Return the secrets of the first TEXT_CHARACTERS characters, in order. None overlaps another. Phrases that restore a
 * wallet are looked for by seed_phrases.ts alone: their lists are large.
 */
export function secretsIn(whole: string): Span[] {
  const text = whole.slice(0, TEXT_CHARACTERS)
  const search = new Search(text)
  const spans = kinds.flatMap((kind) => search.ofKind(kind))
  return joined(spans.toSorted((a, b) => a[0] - b[0] || b[1] - a[1]))
}

/** Whether a form's field holds a secret, by its name, id, label or placeholder. */
export function isSecretName(...names: string[]): boolean {
  return fields.hasAny(fold(names.join(' ').slice(0, TEXT_CHARACTERS).replace(CAMEL, ' ')))
}

/** One text, whose words are looked up only when something has the shape of a secret. */
class Search {
  readonly #near = new Map<string, Nearness>()
  #folded: string | undefined

  constructor(private readonly text: string) {}

  ofKind(kind: Kind): Span[] {
    const check = CHECKS[kind.check ?? 'whole']
    if (!check) throw new Error(`there is no check ${String(kind.check)}`)
    const spans: Span[] = []
    for (const match of this.text.matchAll(kind.pattern)) {
      const span = check(this.text, match.index + (kind.from ?? 0), match.index + match[0].length)
      if (span && this.#isNear(kind, span, spans.at(-1))) spans.push(span)
    }
    return spans
  }

  #isNear(kind: Kind, [start, end]: Span, last: Span | undefined): boolean {
    if (kind.near === undefined) return true
    if (last && start - last[1] <= (kind.chain ?? 0)) return true
    const near = this.#nearness(kind.near, kind.except)
    const wordEnd = near.endBefore(start)
    if (wordEnd !== undefined && start - wordEnd <= (kind.before ?? 0))
      return !kind.line || !this.text.slice(wordEnd, start).includes('\n')
    const wordStart = near.startAfter(end)
    return wordStart !== undefined && (kind.after ?? 0) > 0 && wordStart - end <= (kind.after ?? 0)
  }

  #nearness(name: string, except: string | undefined): Nearness {
    const key = `${name} ${except ?? ''}`
    let near = this.#near.get(key)
    if (!near) {
      this.#folded ??= fold(this.text)
      const harmless = except === undefined ? [] : positionsOf(except, this.#folded)
      near = new Nearness(positionsOf(name, blank(this.#folded, harmless)))
      this.#near.set(key, near)
    }
    return near
  }
}

function positionsOf(name: string, folded: string): Span[] {
  return lists.get(name)?.positions(folded) ?? []
}

const CHECKS: Record<string, Check | undefined> = {
  whole: (_text, start, end) => [start, end],
  card: (text, start, end) => trimmed(isCard, text, start, end),
  iban: (text, start, end) => trimmed(isIban, text, start, end),
  number: (text, start, end) => when(countOf(/\p{Nd}/gu, text.slice(start, end)) >= DIGITS_OF_A_NUMBER, start, end),
  mixed: (text, start, end) => when(isMixed(text.slice(start, end)), start, end),
  coded: (text, start, end) => when(isCoded(text.slice(start, end)), start, end),
  strong: strongIn,
  password: passwordIn,
  random: randomIn,
}

function when(isSecret: boolean, start: number, end: number): Span | null {
  return isSecret ? [start, end] : null
}

function countOf(form: RegExp, text: string): number {
  return text.match(form)?.length ?? 0
}

/** The longest part of a spaced number that is valid: other numbers may stand before or after it. */
function trimmed(isValid: (characters: string) => boolean, text: string, start: number, end: number): Span | null {
  const cuts = [...text.slice(start, end).matchAll(SEPARATOR)].map(({ index }) => start + index).slice(0, PARTS_MOST)
  const spans: Span[] = [
    ...[end, ...cuts.toReversed()].map((cut): Span => [start, cut]),
    ...cuts.map((cut): Span => [cut + 1, end]),
  ]
  return spans.find(([from, to]) => isValid(text.slice(from, to).replace(SEPARATOR, ''))) ?? null
}

/** Whether digits have the length, first digit and check digit (Luhn) of a card's number. */
function isCard(digits: string): boolean {
  if (digits.length < CARD_DIGITS || !/^[2-6]/.test(digits)) return false
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, place) => {
      const value = Number(digit) * (1 + (place % 2))
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return sum % 10 === 0
}

/** Whether an account's number has its check digits (ISO 7064, mod 97). */
function isIban(characters: string): boolean {
  if (characters.length < IBAN_CHARACTERS) return false
  const digits = Array.from(characters.slice(4) + characters.slice(0, 4), (character) => parseInt(character, 36)).join(
    '',
  )
  return BigInt(digits) % 97n === 1n
}

function isMixed(part: string): boolean {
  return part.length >= PASSWORD_CHARACTERS && /\p{Nd}/u.test(part) && /\p{L}/u.test(part)
}

function isCoded(part: string): boolean {
  const isCode = /\p{Nd}/u.test(part) || (part.length >= CODED_CHARACTERS && part === part.toUpperCase())
  return isCode && !DAY.test(part)
}

function strongIn(text: string, start: number, end: number): Span | null {
  const part = withoutEnd(text.slice(start, end))
  const isWord = PLAIN.test(part) && !INNER_CASE.test(part)
  const isSecret = !isWord && part.length >= PASSWORD_CHARACTERS && !part.startsWith('http')
  return when(isSecret, start, start + part.length)
}

/** Accepts a plain word too where nothing follows it on its line. */
function passwordIn(text: string, start: number, end: number): Span | null {
  const strong = strongIn(text, start, end)
  if (strong) return strong
  const part = withoutEnd(text.slice(start, end))
  const [rest = ''] = text.slice(end, end + 200).split('\n')
  const isAlone = rest.trim() === '' && part.length >= PASSWORD_CHARACTERS && !part.startsWith('http')
  return when(isAlone && !noPasswords.hasAny(fold(part)), start, start + part.length)
}

function withoutEnd(part: string): string {
  return part.replace(/[.,;:)]+$/, '')
}

function randomIn(text: string, start: number, end: number): Span | null {
  const part = text.slice(start, end).replace(/[./+=-]+$/, '')
  if (/[/.]/.test(part)) return null
  return when(HEXADECIMAL.test(part) || countOf(CHANGE, part) >= CHANGES_OF_CHANCE, start, start + part.length)
}

function joined(spans: readonly Span[]): Span[] {
  const whole: Span[] = []
  for (const [start, end] of spans) {
    const last = whole.at(-1)
    if (last && start < last[1]) last[1] = Math.max(last[1], end)
    else whole.push([start, end])
  }
  return whole
}
