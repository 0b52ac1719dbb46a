// Finds words of a list in a text, whatever their case, accents and script. thoughts/text/private/words.py has the same
// rules, and tests/bench/private/ holds both to one corpus. Costs grow as the text does.
import data from '../../../thoughts/text/private/secrets.json'

export type Span = [start: number, end: number]

const TOKEN = /[\p{L}\p{N}\p{M}]+/gu
const MARKS = /[\u0300-\u036f]/g
const WORD_CHARACTER = /^[\p{L}\p{N}\p{M}]$/u
/** Scripts without spaces between words: a word of these may stand anywhere. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
const SAME: Record<string, string> = data.folds
const folds = new Map<string, string>()

export function entriesIn(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(',').map((entry) => entry.trim())).filter((entry) => entry !== '')
}

/** Return a text of the same length without case, accents and punctuation. */
export function fold(text: string): string {
  return Array.from(text, foldOf).join('')
}

function foldOf(character: string): string {
  let folded = folds.get(character)
  if (folded === undefined) {
    const plain = character.normalize('NFKD').replace(MARKS, '')
    const lower = (isOne(plain) ? plain : character).toLowerCase()
    const same = SAME[lower] ?? lower
    folded = same.length === character.length && WORD_CHARACTER.test(same) ? same : ' '.repeat(character.length)
    folds.set(character, folded)
  }
  return folded
}

function isOne(text: string): boolean {
  return Array.from(text).length === 1
}

/** A list of words and phrases: `word*` begins, `*word` ends and `*word*` is inside a word. */
export class Words {
  /** By their first character, or by their last one: most words of a text have none to compare with. */
  readonly #starts = new Map<string, Set<string>>()
  readonly #ends = new Map<string, Set<string>>()
  readonly #inside: string[] = []

  constructor(list: readonly string[]) {
    for (const entry of list) {
      const word = fold(entry.replace(/^\*|\*$/g, ''))
        .trim()
        .replace(/ +/g, ' ')
      if (UNSPACED.test(word) || (entry.startsWith('*') && entry.endsWith('*'))) this.#inside.push(word)
      else if (entry.startsWith('*')) addTo(this.#ends, word.at(-1), word)
      else addTo(this.#starts, word[0], entry.endsWith('*') ? word : `${word} `)
    }
  }

  /** Return where words of the list stand in a text from `fold`, in order. */
  positions(folded: string): Span[] {
    const padded = `${folded} `
    const spans = [...padded.matchAll(TOKEN)].flatMap((token) => this.#at(padded, token.index, token[0].length))
    for (const word of this.#inside)
      for (let at = padded.indexOf(word); at >= 0; at = padded.indexOf(word, at + word.length))
        spans.push([at, at + word.length])
    return spans.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
  }

  hasAny(folded: string): boolean {
    const padded = `${folded} `
    if (this.#inside.some((word) => padded.includes(word))) return true
    return [...padded.matchAll(TOKEN)].some((token) => this.#at(padded, token.index, token[0].length).length > 0)
  }

  #at(padded: string, start: number, length: number): Span[] {
    const end = start + length
    const spans: Span[] = []
    for (const word of this.#starts.get(padded.charAt(start)) ?? [])
      if (padded.startsWith(word, start)) spans.push([start, start + word.trimEnd().length])
    for (const word of this.#ends.get(padded.charAt(end - 1)) ?? [])
      if (word.length <= length && padded.endsWith(word, end)) spans.push([end - word.length, end])
    return spans
  }
}

function addTo(words: Map<string, Set<string>>, character: string | undefined, word: string): void {
  if (character !== undefined) words.set(character, (words.get(character) ?? new Set()).add(word))
}

/** Where words stand, to ask whether one is near a place. */
export class Nearness {
  readonly #starts: number[]
  readonly #ends: number[]

  constructor(spans: readonly Span[]) {
    this.#starts = spans.map(([start]) => start).toSorted((a, b) => a - b)
    this.#ends = spans.map(([, end]) => end).toSorted((a, b) => a - b)
  }

  endBefore(place: number): number | undefined {
    return this.#ends[firstFrom(this.#ends, place + 1) - 1]
  }

  startAfter(place: number): number | undefined {
    return this.#starts[firstFrom(this.#starts, place)]
  }
}

/** The index of the first of ascending numbers that is at least `least`. */
function firstFrom(numbers: readonly number[], least: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}

/** Return a text of the same length with spaces instead of these parts. They are in order. */
export function blank(text: string, spans: readonly Span[]): string {
  const pieces: string[] = []
  let place = 0
  for (const [start, end] of spans)
    if (end > place) {
      const from = Math.max(start, place)
      pieces.push(text.slice(place, from), ' '.repeat(end - from))
      place = end
    }
  return [...pieces, text.slice(place)].join('')
}
