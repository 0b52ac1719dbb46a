// What the name of a control says about its consequence, by the lists of words.json in 15 languages. A final word is
// the last step, a start word leads to it and counts on buttons alone. Lists of all languages count on every page.
import { entriesIn, fold, type Span, Words } from '../../private/words'
import { KINDS, type Kind } from './kinds'
import data from './words.json'

export interface NameMeaning {
  final: Kind[]
  start: Kind[]
  /** The name opens, moves or shows something. */
  isFree: boolean
  /** The name answers a question: yes, OK, continue. */
  isAnswer: boolean
  isCancel: boolean
  isCaptcha: boolean
}

type Languages = Partial<Record<string, string>>

/** Of a longer name both ends count, and it is never free. */
const NAME_CHARACTERS = 1_000
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu
const UNSPACED = ['ja', 'zh', 'ko']
/** In these languages the verb ends the name. */
const VERB_LAST = ['de', 'nl', 'tr']
const SYMBOLS = new Set(['×', '✕', '✖', '‹', '›', '«', '»', '…', '+', '−', '-', '⋮', '⋯', '☰'])
const PAGE_NUMBER = /^\d{1,4}$/

function entriesOf(languages: Languages, only: (language: string) => boolean = () => true): string[] {
  return entriesIn(
    Object.keys(languages)
      .filter(only)
      .map((language) => languages[language] ?? ''),
  )
}

const kindWords = KINDS.filter((kind) => kind in data.kinds).map((kind) => {
  const levels = (data.kinds as Partial<Record<Kind, { final: Languages; start: Languages }>>)[kind]
  return { kind, final: new Words(entriesOf(levels?.final ?? {})), start: new Words(entriesOf(levels?.start ?? {})) }
})
const harmless = new Words(entriesOf(data.harmless))
const captcha = new Words(entriesOf(data.captcha))
const answers = wholeNames(data.answers)
const cancels = wholeNames(data.cancel)
const cancelWords = new Words(entriesOf(data.cancel))
const freeBeginnings = new Words(freeEntries((language) => !UNSPACED.includes(language)))
const freeEndings = new Words(freeEntries((language) => VERB_LAST.includes(language)))
const freeInside = new Words(freeEntries((language) => UNSPACED.includes(language)).filter(isLong))
const freeWhole = wholeNames(data.free)

/** To cancel something is not free, only to cancel. */
function freeEntries(only: (language: string) => boolean): string[] {
  return entriesOf(data.free, only).filter((entry) => !cancels.has(folded(entry)))
}

function wholeNames(languages: Languages): ReadonlySet<string> {
  return new Set(entriesOf(languages).map((entry) => folded(entry.replaceAll('*', ''))))
}

function isLong(entry: string): boolean {
  return entry.length > 1
}

function folded(text: string): string {
  const plain = text.normalize('NFKC').replace(IGNORABLE, '')
  return fold(plain).replace(/\s+/g, ' ').trim()
}

export function meaningOf(name: string): NameMeaning {
  const isWhole = name.length <= NAME_CHARACTERS
  const text = folded(isWhole ? name : `${name.slice(0, NAME_CHARACTERS / 2)} ${name.slice(-NAME_CHARACTERS / 2)}`)
  const harmlessParts = harmless.positions(text)
  const final = kindWords.filter((words) => counts(words.final, text, harmlessParts)).map(({ kind }) => kind)
  const start = kindWords.filter((words) => counts(words.start, text, harmlessParts)).map(({ kind }) => kind)
  return {
    final,
    start,
    isFree: isWhole && (harmlessParts.length > 0 || isFreeName(name.trim(), text)),
    isAnswer: answers.has(text),
    isCancel: cancels.has(text),
    isCaptcha: captcha.hasAny(text),
  }
}

/**
 * A word within a harmless phrase says nothing: "delete" in "delete filters", but not "cancel my order" for "my order".
 */
function counts(words: Words, text: string, harmlessParts: readonly Span[]): boolean {
  return words.positions(text).some(([start, end]) => !harmlessParts.some(([from, to]) => from <= start && end <= to))
}

function isFreeName(name: string, text: string): boolean {
  if (SYMBOLS.has(name) || PAGE_NUMBER.test(text) || freeWhole.has(text)) return true
  return (
    freeBeginnings.positions(text).some(([start]) => start === 0) ||
    freeEndings.positions(text).some(([, end]) => end === text.length) ||
    freeInside.hasAny(text)
  )
}

/** How often a text speaks of cancelling: a question about it says the word beside its button. */
export function countCancels(text: string): number {
  return new Set(cancelWords.positions(folded(text)).map(([start]) => start)).size
}
