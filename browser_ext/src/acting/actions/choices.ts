// Which of several options is meant: exactly, else by its beginning, else by its words. Case and accents do not count.
import { oneLine } from '../../extract/plain_text'
import { folded } from '../snapshot/find'
import { shorten } from '../snapshot/line'
import { ActFailure } from './failure'

export interface Choice<T> {
  label: string
  value?: string
  target: T
}

const OPTIONS_MOST = 12
const OPTION_CHARACTERS = 40

/** Throws ActFailure with the options where none fits, or several do. */
export function chooseFrom<T>(choices: readonly Choice<T>[], wish: string): Choice<T> {
  const match = matchIn(choices, wish)
  if (match.length === 1 && match[0]) return match[0]
  if (match.length > 1) throw new ActFailure('ambiguous', `Several options fit: ${namesOf(match)}.`)
  throw new ActFailure('no_option', `There is no such option. There are: ${namesOf(choices)}.`)
}

export function matchIn<T>(choices: readonly Choice<T>[], wish: string): Choice<T>[] {
  const words = folded(oneLine(wish))
  if (words === '') return choices.filter(({ label, value }) => value === wish || label === wish).slice(0, 1)
  const tests: ((choice: Choice<T>, label: string) => boolean)[] = [
    ({ label, value }) => label === wish || value === wish,
    (_, label) => label === words,
    ({ value }) => value !== undefined && folded(value) === words,
    (_, label) => label.startsWith(words),
    (_, label) => words.split(/\s+/).every((word) => label.split(/[^\p{L}\p{N}]+/u).includes(word)),
  ]
  for (const test of tests) {
    const matches = choices.filter((choice) => test(choice, folded(oneLine(choice.label))))
    if (matches.length > 0) return matches
  }
  return []
}

function namesOf(choices: readonly Choice<unknown>[]): string {
  const names = choices.slice(0, OPTIONS_MOST).map(({ label }) => `“${shorten(label, OPTION_CHARACTERS)}”`)
  const rest = choices.length - names.length
  return [...names, ...(rest > 0 ? [`${rest} more`] : [])].join(', ') || 'none'
}
