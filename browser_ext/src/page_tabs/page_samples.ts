// Decides when a page has stopped changing. "complete" is not "rendered": many pages fill themselves afterwards.

/** The first looks follow soon, because most pages are quiet at once. Each look makes the page compute its layout. */
const SOON_MS = 50
export const POLL_MS = 500
/** After so many looks, the pause is POLL_MS also on a page that changes. */
const SOON_LOOKS = 12

/** With less text a page may not be rendered yet. In Latin letters: about 35 words. */
const SHORT_CHARACTERS = 200
const SAME_MS = { longText: 50, shortText: 1_500, noText: 5_500, loading: 3_500 }
const CLOSED_MS = 2_000
/** A page that never stops changing is read as it is then. */
const WAIT_MS = 7_500

/** A list that grows is scrolled to its end so many times, and waited for so long each time. */
const ENDS_MOST = 5
const GROWS_MS = 800

export interface Sample {
  /**
   * The length of the visible text in Latin letters: an ideograph counts as three. Null while nothing can be measured.
   */
  characters: number | null
  isComplete: boolean
  /** Milliseconds on a clock that never goes back. */
  at: number
  /** Where the page was scrolled after that. Null if there was nothing to scroll, or no text yet. */
  scrolledTo: Place
  /**
   * Whether the page may soon change: it was scrolled to its end, something came into view, or it waits for an answer
   * or a timer.
   */
  isStirred: boolean
}

export type Place = 'end' | 'top' | null

/** How long to wait for the next look. Soon after a change, because it may have been the last. */
export function pauseAfter(samples: readonly Sample[]): number {
  if (samples.length > SOON_LOOKS) return POLL_MS
  const same = samples.length - 1 - firstSame(samples)
  return Math.min(POLL_MS, SOON_MS * 2 ** Math.max(0, same - 1))
}

/** `samples`: oldest first. */
export function isQuiet(samples: readonly Sample[]): boolean {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.characters === null) return false
  return isAtRest(samples) || (last.at - first.at >= WAIT_MS && last.characters > 0)
}

/** Whether the page has stayed the same for long enough. */
export function isAtRest(samples: readonly Sample[]): boolean {
  const [since, last] = [samples[firstSame(samples)], samples.at(-1)]
  return since !== undefined && last !== undefined && since !== last && last.at - since.at >= sameMs(last)
}

/**
 * Where to scroll next: once to the end, then back to the beginning. A page that is read for its list is scrolled to
 * its end again while it grows.
 */
export function placeAfter(samples: readonly Sample[], isForList = false): Place {
  const newest = samples.findLastIndex(({ scrolledTo }) => scrolledTo)
  const place = samples[newest]?.scrolledTo
  if (place === 'top') return null
  if (place !== 'end') return 'end'
  return isForList ? placeInList(samples, newest) : 'top'
}

/** `newest`: the index of the last look that scrolled to the end. What comes then comes after a moment. */
function placeInList(samples: readonly Sample[], newest: number): Place {
  const [scrolled, last] = [samples[newest], samples.at(-1)]
  const ends = samples.filter(({ scrolledTo }) => scrolledTo === 'end').length
  const hasGrown = (last?.characters ?? 0) > (scrolled?.characters ?? 0)
  if (hasGrown && ends < ENDS_MOST) return 'end'
  return (last?.at ?? 0) - (scrolled?.at ?? 0) < GROWS_MS && ends < ENDS_MOST ? null : 'top'
}

/** Loaded, and still nothing can be measured: an error page or a viewer of the browser. */
export function isClosedToUs(samples: readonly Sample[]): boolean {
  const lastOpen = samples.findLastIndex((sample) => sample.characters !== null || !sample.isComplete)
  const [first, last] = [samples[lastOpen + 1], samples.at(-1)]
  return first !== undefined && last !== undefined && last.at - first.at >= CLOSED_MS
}

function sameMs({ characters, isComplete }: Sample): number {
  if (characters === 0) return SAME_MS.noText
  if (!isComplete) return SAME_MS.loading
  return (characters ?? 0) < SHORT_CHARACTERS ? SAME_MS.shortText : SAME_MS.longText
}

/** The index of the first sample since which nothing changed. */
function firstSame(samples: readonly Sample[]): number {
  const last = samples.at(-1)
  const different = samples.findLastIndex((sample) => sample.characters !== last?.characters)
  const stirred = samples.findLastIndex((sample) => sample.isStirred)
  return Math.max(different + 1, stirred)
}
