// Unreported visits, sent in batches, not too often, and repeated until the server has them.
import type { HistoryReport, Visit } from '../protocol.gen'

export const BATCH = 50
export const EVERY_MS = 60_000
/** If the server is away for long, the oldest visits are dropped. */
export const MOST = 300

interface Told {
  ref: string
  visits: readonly Visit[]
}

export class WaitingVisits {
  visits: Visit[] = []
  #report: Told | null = null
  #toldAt = -Infinity

  /** The same page several times in a row is one visit. */
  add(visit: Visit): void {
    const last = this.visits.at(-1)
    if (last?.domain === visit.domain && last.title === visit.title) return
    this.visits = [...this.visits, visit].slice(-MOST)
  }

  clear(): void {
    this.visits = []
    this.#report = null
  }

  /** Return the next report, or null if none is due. */
  next(now: number): HistoryReport | null {
    if (this.#report || this.visits.length === 0 || now - this.#toldAt < EVERY_MS) return null
    this.#report = { ref: crypto.randomUUID(), visits: this.visits.slice(0, BATCH) }
    this.#toldAt = now
    return { type: 'history.report', ...this.#report, visits: [...this.#report.visits] }
  }

  /**
   * Drop the visits of this report: the server has them or will never take them. Return whether the report was ours.
   */
  settle(ref: string | null | undefined): boolean {
    if (!this.isOurs(ref)) return false
    const { visits } = this.#report as Told
    this.visits = this.visits.filter((visit) => !visits.includes(visit))
    this.#report = null
    return true
  }

  isOurs(ref: string | null | undefined): boolean {
    return this.#report !== null && this.#report.ref === ref
  }

  /** It is unknown whether the server has them: send them again. The server stores a visit once. */
  lose(): void {
    this.#report = null
  }
}
