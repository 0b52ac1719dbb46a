// Runs long work on a page in slices, so that the page stays responsive.

/** Missing in some browsers. */
declare const scheduler: { yield(): Promise<void> } | undefined

/** Too short to be felt, and long enough for a small page: pauses in a hidden tab are slow on a busy machine. */
const SLICE_MS = 25

/** Yielded before and after uninterruptible work, which gets a slice of its own. */
export const APART = 'apart'

/** The work yields `undefined` wherever it may be interrupted. */
export type Work<Result> = Generator<undefined | typeof APART, Result>

/** Starts with a pause: the work before had a slice too. */
export async function inSlices<Result>(work: Work<Result>): Promise<Result> {
  const pause = pauses()
  await pause()
  let ends = performance.now() + SLICE_MS
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value
    if (step.value !== APART && performance.now() < ends) continue
    await pause()
    ends = performance.now() + SLICE_MS
  }
}

/** Without pauses, for short work. */
export function atOnce<Result>(work: Work<Result>): Result {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value
  }
}

/**
 * Pauses use messages, because timers of background tabs fire once a second. Where the page may run no scripts,
 * messages may not arrive either; the browser's scheduler always continues.
 */
function pauses(): () => Promise<void> {
  if (globalThis.matchMedia?.('(scripting: none)').matches)
    return () => ('scheduler' in globalThis ? (scheduler?.yield() ?? Promise.resolve()) : Promise.resolve())
  const { port1, port2 } = new MessageChannel()
  let go: () => void = () => undefined
  port1.onmessage = () => go()
  return () =>
    new Promise((resolve) => {
      go = resolve
      port2.postMessage(null)
    })
}
