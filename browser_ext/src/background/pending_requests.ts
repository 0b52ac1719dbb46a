// What the server says to requests of which the owner wants to know the end: an `ack` or an `error` that names the request's `ref`.
import type { Outcome } from '../state/panel_state'
import { say } from '../say'

const PATIENCE_MS = 10_000

interface Waiting {
  ref: string
  settle: (outcome: Outcome) => void
}

export class PendingRequests {
  #waiting: Waiting[] = []

  /** Call it right after the frame was sent. Resolves always, at the latest after ten seconds. */
  to(ref: string): Promise<Outcome> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle(waiting, { ok: false, message: say('answer_late') }), PATIENCE_MS)
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
    this.#waiting.forEach((waiting) => this.#settle(waiting, { ok: false, message: say('answer_lost') }))
  }

  #settle(waiting: Waiting, outcome: Outcome): void {
    this.#waiting = this.#waiting.filter((entry) => entry !== waiting)
    waiting.settle(outcome)
  }
}
