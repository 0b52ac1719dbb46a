// Finds lines of a snapshot by words in any order, without a model.
import { cutText } from '../../extract/plain_text'
import { controlsIn, type ControlText } from './packed_lines'
import type { Layout } from './parts'

export interface LineMatch {
  line: string
  part: number
  /** The control that was looked for. */
  ref?: number
}

const MATCHES_MOST = 20
const LINE_CHARACTERS = 400

/** Return the lines with all words, and a control of that role in each. Without both, none. */
export function findLines({ parts }: Layout, words: string, role = '', most = MATCHES_MOST): LineMatch[] {
  const terms = folded(words).split(/\s+/).filter(Boolean)
  if (terms.length === 0 && role === '') return []
  const matches: LineMatch[] = []
  for (const [index, lines] of parts.entries()) {
    for (const { text } of lines) {
      const controls = controlsIn(text).filter((control) => role === '' || control.role === role)
      if ((role !== '' && controls.length === 0) || !hasAll(text, terms)) continue
      const ref = refFor(controls, terms)
      matches.push({ line: cutText(text, LINE_CHARACTERS), part: index + 1, ...(ref !== undefined && { ref }) })
      if (matches.length >= Math.min(most, MATCHES_MOST)) return matches
    }
  }
  return matches
}

/** The first with all words itself; otherwise the only one, for which the line speaks. */
function refFor(controls: readonly ControlText[], terms: readonly string[]): number | undefined {
  return (controls.find(({ text }) => hasAll(text, terms)) ?? (controls.length === 1 ? controls[0] : undefined))?.ref
}

function hasAll(text: string, terms: readonly string[]): boolean {
  const line = folded(text)
  return terms.every((term) => line.includes(term))
}

/** Without case, accents, and the differences that NFKC drops. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
}
