// Keeps pages, those that the owner asks for and those that auto.ts brings. A page is sent ten seconds after it was
// read, or when no page of Penny's is open any
// more: until then, undoing sends nothing.
import type { ServerFrameOf } from '../server/frames'
import { byteLength, encodeFrame, FRAME_BYTES, type RequestFrame } from '../server/frames'
import { ToolFailure } from '../page_tabs/call_context'
import type { PageKeep } from '../protocol.gen'
import { say } from '../say'
import type { KeepingTab, Outcome, PanelState } from '../state/panel_state'
import { stored, type WaitingPage } from '../state/stored'
import { hasContacts } from './contacts'
import { readToKeep, type Capture } from './read_page'

export const UNDO_MS = 10_000
export const MOST = 20
const BYTES_MOST = 4 * 1024 * 1024
/** The server could not store it now, and keeps it later. */
const LATER = 'not_stored'
const NOT_KEEPING = 'not_keeping'

export interface VaultHost {
  send(frame: RequestFrame): boolean
  server(): string | null
  /** The server says that this browser keeps nothing by itself: it was switched off there. */
  onNotKeeping(): void
  /** A page waited for too long, and made room. */
  onDropped(): void
  show(change: Pick<PanelState, 'keeping'>): void
}

export class Vault {
  #waiting: WaitingPage[] = []
  /** The frames that were sent and not yet answered. */
  readonly #unanswered = new Set<string>()
  #tabs: KeepingTab[] = []

  constructor(private readonly host: VaultHost) {}

  /** A page that waited when the background ended is sent once its time has come. */
  async load(): Promise<void> {
    this.#waiting = await stored.waitingPages.getValue()
    for (const { frame, tab, dueAt } of this.#waiting) {
      this.#tabs.push({ ...tab, ref: frame.ref, step: 'waiting', ...(frame.why === 'auto' && { isAuto: true }) })
      this.#sendLater(dueAt - Date.now())
    }
    this.#show()
  }

  /** Read the page of a tab, to keep it. `tab.url`: what the tab shows, for the panel beside it. */
  async keep(tab: { tab_id: number; url: string }): Promise<Outcome> {
    const server = this.host.server()
    if (server === null) return { ok: false, message: say('not_paired_yet') }
    const isUnderway = this.#tabs.some((other) => isSame(other, tab) && ['reading', 'waiting'].includes(other.step))
    if (isUnderway) return { ok: true }
    const ref = crypto.randomUUID()
    this.#set({ ...tab, ref, step: 'reading' })
    try {
      const capture = await readToKeep(tab.tab_id, server)
      if (capture.asksSecret) return this.#fail(ref, say('keep_secret_field'))
      const frame = keepFrame(ref, 'asked', capture)
      if (this.host.server() !== server) return this.#fail(ref, say('did_not_work'))
      return await this.#wait({ frame, tab, dueAt: Date.now() + UNDO_MS })
    } catch (failure) {
      if (!(failure instanceof ToolFailure)) console.error('Penny: the page could not be kept', failure)
      return this.#fail(ref, failure instanceof ToolFailure ? failure.message : say('did_not_work'))
    }
  }

  /** Take a page that this browser keeps by itself. Where too many wait, the oldest such page makes room. */
  async take(tab: { tab_id: number; url: string }, capture: Capture): Promise<boolean> {
    const frame = keepFrame(crypto.randomUUID(), 'auto', capture)
    if (byteLength(encodeFrame(frame)) > FRAME_BYTES) return false
    while (!this.#hasRoom(frame)) {
      const oldest = this.#waiting.find((page) => page.frame.why === 'auto')
      this.host.onDropped()
      if (!oldest) return false
      await this.#forget(oldest.frame.ref)
    }
    this.#set({ ...tab, ref: frame.ref, step: 'waiting', isAuto: true })
    return (await this.#wait({ frame, tab, dueAt: Date.now() + UNDO_MS })).ok
  }

  /** Drop the pages that were kept by themselves and wait: of a site that is left out now, or all. */
  async dropAuto(isConcerned: (url: string) => boolean): Promise<void> {
    for (const { frame, tab } of [...this.#waiting])
      if (frame.why === 'auto' && isConcerned(tab.url) && !this.#unanswered.has(frame.ref))
        await this.#forget(frame.ref)
  }

  /** Return whether there was still something to undo. */
  async undo(ref: string): Promise<boolean> {
    const page = this.#waiting.find(({ frame }) => frame.ref === ref)
    if (!page || this.#unanswered.has(ref)) return false
    await this.#forget(ref)
    return true
  }

  /** Nobody can undo any more. What was kept by itself waits all the same: a panel may be opened for it. */
  sendAtOnce(): void {
    this.#waiting.filter(({ frame }) => frame.why === 'asked').forEach((page) => (page.dueAt = 0))
    this.tick()
  }

  /** Called every 20 s, and when the time of a page has come: send what is due and was not sent. */
  tick(): void {
    for (const { frame, dueAt } of this.#waiting) {
      if (dueAt > Date.now() || this.#unanswered.has(frame.ref)) continue
      if (this.host.send(frame)) this.#unanswered.add(frame.ref)
      this.#step(frame.ref, { step: 'sending' })
    }
  }

  /** Return whether the frame answers a page that was sent. */
  async takeAnswer(answer: ServerFrameOf<'ack' | 'error'>): Promise<boolean> {
    const ref = answer.ref ?? ''
    if (!this.#unanswered.delete(ref)) return false
    if (answer.type === 'error' && answer.code === LATER) return true
    const isAuto = this.#waiting.some(({ frame }) => frame.ref === ref && frame.why === 'auto')
    await this.#drop(ref)
    if (answer.type === 'error' && isAuto) {
      await this.#forget(ref) // nobody asked for it
      if (answer.code === NOT_KEEPING) this.host.onNotKeeping()
    } else if (answer.type === 'ack') this.#step(ref, { step: 'kept' })
    else this.#fail(ref, answer.message)
    return true
  }

  /** The connection is lost. It is unknown whether the server has them: it keeps the same page once. */
  lose(): void {
    this.#unanswered.clear()
  }

  /** What waits for one server is nothing for another. */
  async leave(): Promise<void> {
    this.#waiting = []
    this.#tabs = []
    this.lose()
    this.#show()
    await this.#store()
  }

  async #wait(page: WaitingPage): Promise<Outcome> {
    const { ref } = page.frame
    if (byteLength(encodeFrame(page.frame)) > FRAME_BYTES) return this.#fail(ref, say('page_too_long'))
    if (!this.#hasRoom(page.frame)) return this.#fail(ref, say('keep_many'))
    this.#waiting = [...this.#waiting, page]
    await this.#store()
    this.#step(ref, { step: 'waiting' })
    this.#sendLater(UNDO_MS)
    return { ok: true }
  }

  #hasRoom(frame: PageKeep): boolean {
    const frames = [...this.#waiting.map((page) => page.frame), frame]
    const bytes = frames.reduce((sum, one) => sum + byteLength(encodeFrame(one)), 0)
    return frames.length <= MOST && bytes <= BYTES_MOST
  }

  async #forget(ref: string): Promise<void> {
    await this.#drop(ref)
    this.#tabs = this.#tabs.filter((tab) => tab.ref !== ref)
    this.#show()
  }

  #sendLater(ms: number): void {
    setTimeout(() => this.tick(), Math.max(0, ms))
  }

  async #drop(ref: string): Promise<void> {
    this.#waiting = this.#waiting.filter(({ frame }) => frame.ref !== ref)
    await this.#store()
  }

  /** In memory, gone with the browser. */
  #store(): Promise<void> {
    return stored.waitingPages.setValue(this.#waiting)
  }

  #fail(ref: string, message: string): Outcome {
    this.#step(ref, { step: 'failed', message })
    return { ok: false, message }
  }

  #step(ref: string, change: Pick<KeepingTab, 'step' | 'message'>): void {
    const tab = this.#tabs.find((other) => other.ref === ref)
    if (tab) this.#set({ ...tab, ...change })
  }

  /** A tab shows what became of its newest page. */
  #set(tab: KeepingTab): void {
    this.#tabs = [...this.#tabs.filter((other) => other.tab_id !== tab.tab_id), tab].slice(-2 * MOST)
    this.#show()
  }

  #show(): void {
    this.host.show({ keeping: [...this.#tabs] })
  }
}

function isSame(one: { tab_id: number; url: string }, other: { tab_id: number; url: string }): boolean {
  return one.tab_id === other.tab_id && one.url === other.url
}

/** The server refuses what the last two say to be private, as this browser does. */
function keepFrame(ref: string, why: PageKeep['why'], capture: Capture): PageKeep {
  const { page, contacts, masked, isPrivate, asksSecret } = capture
  const reach = hasContacts(contacts) && { contacts }
  return { type: 'page.keep', ref, page, why, ...reach, masked, private_window: isPrivate, asks_secret: asksSecret }
}
