// What the server says to requests of which the owner wants to know the end: an `ack` or an `error` that names the request's `ref`.
import type { Outcome } from '../panel_state'

const PATIENCE_MS = 10_000

const LOST: Outcome = { ok: false, message: 'The connection was lost before Penny answered. What is listed once she is back holds.' }
const LATE: Outcome = { ok: false, message: 'Penny did not answer. What is shown here is what holds; try again.' }

interface Waiting {
  ref: string
  settle: (outcome: Outcome) => void
}

export class Answers {
  #waiting: Waiting[] = []

  /** Call it right after the frame was sent. Resolves always, at the latest after ten seconds. */
  to(ref: string): Promise<Outcome> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle(waiting, LATE), PATIENCE_MS)
      const waiting: Waiting = {
        ref,
        settle: (outcome) => {
          clearTimeout(timer)
          resolve(outcome)
        },
      }
      this.#waiting.push(waiting)
    })
  }

  /** Returns whether anybody waited. The server answers in the order of the frames, so of several with one `ref` the oldest is meant. */
  take(ref: string | null | undefined, outcome: Outcome): boolean {
    const waiting = this.#waiting.find((entry) => entry.ref === ref)
    if (waiting) this.#settle(waiting, outcome)
    return waiting !== undefined
  }

  lose(): void {
    this.#waiting.forEach((waiting) => this.#settle(waiting, LOST))
  }

  #settle(waiting: Waiting, outcome: Outcome): void {
    this.#waiting = this.#waiting.filter((entry) => entry !== waiting)
    waiting.settle(outcome)
  }
}
