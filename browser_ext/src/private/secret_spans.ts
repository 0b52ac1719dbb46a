// Where secrets stand in a text of any length.
import { secretsIn, TEXT_CHARACTERS } from './secrets'
import { seedPhrasesIn } from './seed_phrases'
import type { Span } from './words'

/** A long page is searched in parts that overlap: a secret, and the word that tells of it, are within one of them. */
const OVERLAP_CHARACTERS = 1_000

export function spansIn(text: string): Span[] {
  const spans: Span[] = []
  for (let at = 0; at === 0 || at + OVERLAP_CHARACTERS < text.length; at += TEXT_CHARACTERS - OVERLAP_CHARACTERS) {
    const part = text.slice(at, at + TEXT_CHARACTERS)
    for (const [start, end] of [...secretsIn(part), ...seedPhrasesIn(part)]) spans.push([at + start, at + end])
  }
  return spans
}
