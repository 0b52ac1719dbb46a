// Finds the words that restore a wallet (BIP-39): a run of at least twelve words of the English list, which nearly
// every wallet uses. thoughts/text/private/seed_phrases.py has the same rules and knows the lists of nine more
// languages: these would add 62 kB to the package.
import { wordlist as english } from '@scure/bip39/wordlists/english.js'
import type { Span } from './words'

const WORDS_MIN = 12
/** Numbers, points and line ends may stand between two words. */
const WORD = /\p{L}[\p{L}\p{M}]{0,23}/gu
const GAP_CHARACTERS = 12
const words = new Set<string>()

export function seedPhrasesIn(text: string): Span[] {
  const spans: Span[] = []
  let [begin, last, count] = [0, 0, 0]
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const isKnown = isListed(word)
    if (!isKnown || index - last > GAP_CHARACTERS) {
      if (count >= WORDS_MIN) spans.push([begin, last])
      ;[begin, count] = [index, 0]
    }
    if (isKnown) [count, last] = [count + 1, index + word.length]
  }
  return count >= WORDS_MIN ? [...spans, [begin, last]] : spans
}

function isListed(word: string): boolean {
  if (words.size === 0) english.forEach((entry) => words.add(entry))
  return words.has(word.toLowerCase())
}
