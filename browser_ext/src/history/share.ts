// Sharing of this browser's history: off until the owner switches it on, reported in small batches, deleted when it is
// switched off.
import { browser } from 'wxt/browser'
import type { RequestFrame, ServerFrameOf } from '../server/frames'
import type { Outcome, PanelState } from '../state/panel_state'
import { say } from '../say'
import { stored, type HistorySwitch } from '../state/stored'
import { listenToVisits } from './listen'
import { PERMISSION } from './permission'
import { entriesOf } from './sensitive'
import { visitOf, type SeenVisit } from './visit'
import { WaitingVisits } from './waiting'

const ENTRIES_MOST = 500
/** Answers of the server after which a retry is useless. */
const NOT_SHARED = 'unsupported'
const NEVER = ['bad_host']

export interface HistoryHost {
  send(frame: RequestFrame): boolean
  server(): string | null
  show(change: Pick<PanelState, 'history'>): void
}

export class HistoryShare {
  readonly #waiting = new WaitingVisits()
  #switch: HistorySwitch = stored.history.fallback
  #attach: () => void = () => undefined

  constructor(private readonly line: HistoryHost) {}

  /** Load the stored switch and visits. Without the browser's permission, sharing is off. */
  async load(): Promise<void> {
    this.#switch = await stored.history.getValue()
    this.#waiting.visits = await stored.visits.getValue()
    if (this.#switch.on && !(await this.#isPermitted())) await this.#turn({ on: false, unsent: true })
    this.#show()
  }

  listen(): void {
    this.#attach = listenToVisits({
      isOn: () => this.#switch.on && this.line.server() !== null,
      take: (visit) => this.take(visit),
      onForbidden: () => void this.setSharing(false),
    })
  }

  /**
   * Switching on needs the browser's permission, which an own page requests. Switching off deletes all unreported
   * visits at once.
   */
  async setSharing(on: boolean): Promise<Outcome> {
    if (on && this.line.server() === null) return { ok: false, message: say('not_paired_yet') }
    if (on && !(await this.#isPermitted())) return { ok: false, message: say('history_not_allowed') }
    await this.#turn({ on, unsent: true })
    this.tellSwitch()
    this.#attach()
    if (!on) await browser.permissions.remove(PERMISSION).catch(() => undefined)
    return { ok: true }
  }

  /** Store the owner's list, and delete unreported visits that it covers. */
  async setOwn(list: string): Promise<Outcome> {
    const own = entriesOf(list)
    if (own.length > ENTRIES_MOST) return { ok: false, message: say('history_list_long', ENTRIES_MOST) }
    this.#switch = { ...this.#switch, own }
    const server = this.line.server()
    this.#waiting.lose()
    this.#waiting.visits = this.#waiting.visits.filter((visit) => isStillTold(visit, server, own))
    await this.#keep()
    return { ok: true }
  }

  async take(seenVisit: SeenVisit): Promise<void> {
    const server = this.line.server()
    const visit = server && this.#switch.on ? visitOf(seenVisit, { server, own: this.#switch.own }) : null
    if (!visit) return
    this.#waiting.add(visit)
    await this.#keep()
    this.tick()
  }

  /** Called every 20 s. */
  tick(): void {
    if (this.#switch.unsent) this.tellSwitch()
    if (!this.#switch.on) return
    this.#attach()
    const report = this.#waiting.next(Date.now())
    if (report && !this.line.send(report)) this.#waiting.lose()
  }

  /** Report the switch as soon as the server is reachable. Until then the server refuses visits, or gets none. */
  tellSwitch(): void {
    const isSent =
      this.#switch.unsent &&
      this.line.send({ type: 'device.update', ref: crypto.randomUUID(), history: this.#switch.on })
    if (isSent) void this.#turn({ ...this.#switch, unsent: false })
  }

  /** Return whether the frame answers a report. */
  async takeAnswer(frame: ServerFrameOf<'ack' | 'error'>): Promise<boolean> {
    if (!this.#waiting.isOurs(frame.ref)) return false
    const code = frame.type === 'error' ? frame.code : null
    if (code === NOT_SHARED) await this.setSharing(false) // it was switched off on the web page
    else if (code === null || NEVER.includes(code)) this.#waiting.settle(frame.ref)
    else this.#waiting.lose() // a full disk, or too many at once: retry later
    await this.#keep()
    return true
  }

  lose(): void {
    this.#waiting.lose()
  }

  /** Another server may not read the history before the owner agrees again. Their list stays. */
  async leave(): Promise<void> {
    if (!this.#switch.on) return
    await this.#turn({ on: false, unsent: false })
    await browser.permissions.remove(PERMISSION).catch(() => undefined)
  }

  async forget(): Promise<void> {
    await this.leave()
    this.#switch = stored.history.fallback
    this.#show()
  }

  async #turn({ on, unsent }: Pick<HistorySwitch, 'on' | 'unsent'>): Promise<void> {
    this.#switch = { ...this.#switch, on, unsent }
    if (!on) this.#waiting.clear()
    await this.#keep()
  }

  /** Visits are stored in memory, and end with the browser. */
  async #keep(): Promise<void> {
    this.#show()
    await Promise.all([stored.history.setValue(this.#switch), stored.visits.setValue(this.#waiting.visits)])
  }

  #show(): void {
    const { on, own } = this.#switch
    this.line.show({ history: { on, own, waiting: this.#waiting.visits.length } })
  }

  #isPermitted(): Promise<boolean> {
    return browser.permissions.contains(PERMISSION)
  }
}

function isStillTold(
  { domain, title, visited_at }: { domain: string; title: string; visited_at: string },
  server: string | null,
  own: readonly string[],
): boolean {
  return (
    server !== null && visitOf({ url: `https://${domain}/`, title, at: new Date(visited_at) }, { server, own }) !== null
  )
}
