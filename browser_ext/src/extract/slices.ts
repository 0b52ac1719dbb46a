// Long work on a page in slices, so that the page answers its reader in between.

/** Not in every browser. */
declare const scheduler: { yield(): Promise<void> } | undefined

/** Too short to be felt, and long enough that a small page needs no pause: what a hidden tab waits for comes late on a busy machine. */
const SLICE_MS = 40

/** What is yielded before and after a piece that cannot be interrupted: it gets a slice of its own. */
export const APART = 'apart'

/** `undefined` is yielded wherever it may be interrupted. */
export type Work<Result> = Generator<undefined | typeof APART, Result>

/** Begins with a pause: what went before had a slice too. */
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

/** Does it in one go: for what is small. */
export function atOnce<Result>(work: Work<Result>): Result {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value
  }
}

/**
 * By messages, because timers of tabs in the background come once a second. Where the page may run no scripts, these may not come either;
 * what the browser's scheduler continues always does.
 */
function pauses(): () => Promise<void> {
  if (globalThis.matchMedia?.('(scripting: none)').matches) return () => ('scheduler' in globalThis ? (scheduler?.yield() ?? Promise.resolve()) : Promise.resolve())
  const { port1, port2 } = new MessageChannel()
  let go: () => void = () => undefined
  port1.onmessage = () => go()
  return () =>
    new Promise((resolve) => {
      go = resolve
      port2.postMessage(null)
    })
}
