// Decides when a page has stopped changing. "complete" is not "rendered": many pages fill themselves afterwards.

export const POLL_MS = 500

/** With less text a page may not be rendered yet. */
const SHORT_CHARACTERS = 200
const SAME_FOR_LONG_TEXT = 2
const SAME_FOR_SHORT_TEXT = 4
const SAME_FOR_NO_TEXT = 12
const SAME_WHILE_LOADING = 8
const CLOSED_FOR = 5
/** A page that never stops changing is read as it is then. */
const LOOKS_MOST = 16

export interface Sample {
  /** Characters of visible text. Null while nothing can be measured. */
  characters: number | null
  isComplete: boolean
  /** Where the page was scrolled after that. Null if there was nothing to scroll, or no text yet. */
  scrolledTo: Place
  /** Whether something came into view after that, or the page waits for an answer, so that it may change. */
  isStirred: boolean
}

export type Place = 'end' | 'top' | null

/** `samples` were taken every POLL_MS, oldest first. */
export function isQuiet(samples: readonly Sample[]): boolean {
  const last = samples.at(-1)
  if (!last || last.characters === null) return false
  return lastSame(samples, last) >= samplesNeeded(last) || (samples.length >= LOOKS_MOST && last.characters > 0)
}

/** Where to scroll next: once to the end, then back to the beginning. */
export function placeAfter(samples: readonly Sample[]): Place {
  const newest = samples.findLast(({ scrolledTo }) => scrolledTo)?.scrolledTo
  return newest === 'top' ? null : newest === 'end' ? 'top' : 'end'
}

/** Loaded, and still nothing can be measured: an error page or a viewer of the browser. */
export function isClosedToUs(samples: readonly Sample[]): boolean {
  const last = samples.slice(-CLOSED_FOR)
  return last.length === CLOSED_FOR && last.every((sample) => sample.characters === null && sample.isComplete)
}

function samplesNeeded({ characters, isComplete }: Sample): number {
  if (characters === 0) return SAME_FOR_NO_TEXT
  if (!isComplete) return SAME_WHILE_LOADING
  return (characters ?? 0) < SHORT_CHARACTERS ? SAME_FOR_SHORT_TEXT : SAME_FOR_LONG_TEXT
}

function lastSame(samples: readonly Sample[], last: Sample): number {
  const different = samples.findLastIndex((sample) => sample.characters !== last.characters)
  const lastStirred = samples.findLastIndex((sample) => sample.isStirred)
  return samples.length - 1 - Math.max(different, lastStirred)
}
