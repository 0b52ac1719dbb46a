// The visits that wait to be told, and when they go: some at a time, not too often, and again until the server has them.
import type { HistoryReport, Visit } from '../protocol.gen'

export const BATCH = 50
export const EVERY_MS = 60_000
/** The oldest go first where the server is away for long. */
export const MOST = 300

interface Told {
  ref: string
  visits: readonly Visit[]
}

export class WaitingVisits {
  visits: Visit[] = []
  #report: Told | null = null
  #toldAt = -Infinity

  /** The same page again, in a row, is one visit. */
  add(visit: Visit): void {
    const last = this.visits.at(-1)
    if (last?.domain === visit.domain && last.title === visit.title) return
    this.visits = [...this.visits, visit].slice(-MOST)
  }

  clear(): void {
    this.visits = []
    this.#report = null
  }

  /** Returns what may go now, or null. */
  next(now: number): HistoryReport | null {
    if (this.#report || this.visits.length === 0 || now - this.#toldAt < EVERY_MS) return null
    this.#report = { ref: crypto.randomUUID(), visits: this.visits.slice(0, BATCH) }
    this.#toldAt = now
    return { type: 'history.report', ...this.#report, visits: [...this.#report.visits] }
  }

  /** The server has the visits of this report, or will never take them; they are let go of. Returns whether it was ours. */
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

  /** Nobody knows whether the server has them: they go again. It stores a visit once. */
  lose(): void {
    this.#report = null
  }
}
