// Requests that wait for the `ack` or `error` with their `ref`.
import type { Outcome } from '../state/panel_state'
import { say } from '../say'

const PATIENCE_MS = 10_000

interface Waiting {
  ref: string
  settle: (outcome: Outcome) => void
}

export class PendingRequests {
  #waiting: Waiting[] = []

  /** Call this directly after sending the frame. Always resolves, after ten seconds at the latest. */
  to(ref: string): Promise<Outcome> {
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => this.#settle(waiting, { ok: false, message: say('answer_late'), is_lost: true }),
        PATIENCE_MS,
      )
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

  /**
   * Return whether a request waited. The server answers in the order of frames: the oldest of several with one `ref` is
   * meant.
   */
  take(ref: string | null | undefined, outcome: Outcome): boolean {
    const waiting = this.#waiting.find((entry) => entry.ref === ref)
    if (waiting) this.#settle(waiting, outcome)
    return waiting !== undefined
  }

  lose(): void {
    this.#waiting.forEach((waiting) => this.#settle(waiting, { ok: false, message: say('answer_lost'), is_lost: true }))
  }

  #settle(waiting: Waiting, outcome: Outcome): void {
    this.#waiting = this.#waiting.filter((entry) => entry !== waiting)
    waiting.settle(outcome)
  }
}
