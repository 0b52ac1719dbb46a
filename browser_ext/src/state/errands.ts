// What Penny does on pages now, as the conversation shows it.
import type { ErrandInfo } from '../protocol.gen'

const LINES_MOST = 60

/** `lines`: what she did so far, in order. */
export interface Errand extends ErrandInfo {
  lines: string[]
}

const OPEN: ReadonlySet<ErrandInfo['state']> = new Set(['running', 'waiting', 'paused'])

/** One that is over goes: the answer of its turn says what was done. */
export function afterErrand(errands: readonly Errand[], errand: ErrandInfo): Errand[] {
  const lines = errands.find(({ id }) => id === errand.id)?.lines ?? []
  const others = errands.filter(({ id }) => id !== errand.id)
  if (!OPEN.has(errand.state)) return others
  const isNews = errand.line !== '' && errand.line !== lines.at(-1)
  return [...others, { ...errand, lines: isNews ? [...lines, errand.line].slice(-LINES_MOST) : lines }]
}
