// What a background does first. Whoever opens or guards a tab waits for it.

let start: Promise<void> = Promise.resolve()

/** Call it before the background can hear of anything. A start that fails holds nobody up. */
export function startWith(work: () => Promise<void>): Promise<void> {
  start = work().catch((reason: unknown) =>
    console.error('Penny: what an ended background left was not put in order', reason),
  )
  return start
}

export function untilStarted(): Promise<void> {
  return start
}
