// Waiting times between attempts: doubled, capped, and jittered so that devices do not reconnect in step.

const FIRST_MS = 500
const LONGEST_MS = 20_000

/** `attempt` counts from 0, `random` is in [0, 1). The result is between half of the step and the whole step. */
export function backoffMs(attempt: number, random: number = Math.random()): number {
  const step = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 16))
  return Math.round(step * (0.5 + random / 2))
}
