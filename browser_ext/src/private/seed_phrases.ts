// Finds the words that restore a wallet (BIP-39): a run of at least twelve words of one of its lists.
// thoughts/text/private/seed_phrases.py has the same rules.
import { wordlist as czech } from '@scure/bip39/wordlists/czech.js'
import { wordlist as english } from '@scure/bip39/wordlists/english.js'
import { wordlist as french } from '@scure/bip39/wordlists/french.js'
import { wordlist as italian } from '@scure/bip39/wordlists/italian.js'
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js'
import { wordlist as korean } from '@scure/bip39/wordlists/korean.js'
import { wordlist as portuguese } from '@scure/bip39/wordlists/portuguese.js'
import { wordlist as simplifiedChinese } from '@scure/bip39/wordlists/simplified-chinese.js'
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish.js'
import { wordlist as traditionalChinese } from '@scure/bip39/wordlists/traditional-chinese.js'
import type { Span } from './words'

const WORDS_MIN = 12
/** Numbers, points and line ends may stand between two words. */
const WORD = /\p{L}[\p{L}\p{M}]{0,23}/gu
const GAP_CHARACTERS = 12
const LISTS = [
  english,
  simplifiedChinese,
  traditionalChinese,
  czech,
  french,
  italian,
  japanese,
  korean,
  portuguese,
  spanish,
]
/** For each word one bit for each list that holds it. */
const bits = new Map<string, number>()

export function seedPhrasesIn(text: string): Span[] {
  const spans: Span[] = []
  let [begin, last, count, common] = [0, 0, 0, 0]
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const lists = listsOf(word)
    if (count === 0 || (common & lists) === 0 || index - last > GAP_CHARACTERS) {
      if (count >= WORDS_MIN) spans.push([begin, last])
      ;[begin, count, common] = [index, 0, lists]
    }
    if (lists === 0) count = 0
    else [common, count, last] = [common & lists, count + 1, index + word.length]
  }
  return count >= WORDS_MIN ? [...spans, [begin, last]] : spans
}

function listsOf(word: string): number {
  if (bits.size === 0)
    LISTS.forEach((list, number) =>
      list.forEach((entry) => bits.set(keyOf(entry), (bits.get(keyOf(entry)) ?? 0) | (1 << number))),
    )
  return bits.get(keyOf(word)) ?? 0
}

function keyOf(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
}
