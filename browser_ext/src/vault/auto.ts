// Keeps pages by themselves: off until the owner switches it on in this browser, then of chosen sites, or of all sites
// but those left out. What is never kept stands in rules/.
import { browser } from 'wxt/browser'
import { verdict } from '../grants/grants'
import { webUrl } from '../grants/hosts'
import { ToolFailure } from '../page_tabs/call_context'
import { isOpenedByUs } from '../page_tabs/popups'
import type { GrantInfo } from '../protocol.gen'
import { say } from '../say'
import type { RequestFrame } from '../server/frames'
import type { Outcome, PanelState } from '../state/panel_state'
import { stored, type KeepCounts, type KeepMode, type KeepSwitch } from '../state/stored'
import { PageWatch, type ShownPage } from './page_watch'
import { readToKeep, type Capture } from './read_page'
import { whyNotKept } from './rules/after'
import { whyNotRead, type KeepRules } from './rules/before'

export const A_MINUTE_MOST = 6
export const A_DAY_MOST = 600
const A_MINUTE_MS = 60_000
const SAMPLE_MS = 400
const SAMPLES_MOST = 12

interface KeeperHost {
  send(frame: RequestFrame): boolean
  server(): string | null
  grants(): readonly GrantInfo[]
  keep(tab: { tab_id: number; url: string }, capture: Capture): Promise<boolean>
  dropWaiting(isConcerned: (url: string) => boolean): Promise<void>
  show(change: Partial<Pick<PanelState, 'keepMode' | 'keptTabs'>>): void
}

export class AutoKeeper {
  #switch: KeepSwitch = stored.keepSwitch.fallback
  #counts: KeepCounts = stored.keepCounts.fallback
  #isKnown = false
  /** The tabs whose page is or will be kept. */
  readonly #tabs = new Set<number>()
  readonly #watch = new PageWatch({
    onBegin: (page) => void this.#promise(page),
    onDwell: (page) => void this.#take(page),
    onGone: (tabId) => this.#mark(tabId, false),
  })

  constructor(private readonly host: KeeperHost) {}

  async load(): Promise<void> {
    this.#switch = await stored.keepSwitch.getValue()
    this.#counts = await stored.keepCounts.getValue()
    this.#follow()
  }

  /** The owner alone calls it, from the settings of this browser. */
  async setMode(mode: KeepMode): Promise<Outcome> {
    if (this.host.server() === null) return { ok: false, message: say('not_paired_yet') }
    if (mode !== 'off' && !this.#isKnown) return { ok: false, message: say('keep_needs_penny') }
    await this.#turn({ mode, unsent: true })
    if (mode === 'off') await this.host.dropWaiting(() => true)
    this.tellMode()
    return { ok: true }
  }

  /** `ours`: what the server knows of this browser; undefined where it knows of no keeping. */
  async agree(ours: KeepMode | undefined): Promise<void> {
    this.#isKnown = ours !== undefined
    this.#show()
    if (ours === undefined || ours === this.#switch.mode) return
    if (ours === 'off' && !this.#switch.unsent) return this.switchOff()
    await this.#turn({ ...this.#switch, unsent: true })
    this.tellMode()
  }

  /** It was switched off on the server. */
  async switchOff(): Promise<void> {
    await this.#turn({ mode: 'off', unsent: false })
    await this.host.dropWaiting(() => true)
  }

  /** Until the server knows, it refuses pages that are kept by themselves. */
  tellMode(): void {
    const { mode, unsent } = this.#switch
    const frame = { type: 'device.update', ref: crypto.randomUUID(), keeping: mode } as const
    if (unsent && this.#isKnown && this.host.send(frame)) void this.#turn({ mode, unsent: false })
  }

  /** Another server gets nothing before the owner switches it on again. */
  async leave(): Promise<void> {
    this.#isKnown = false
    this.#counts = stored.keepCounts.fallback
    await this.#turn({ mode: 'off', unsent: false })
  }

  async countDropped(): Promise<void> {
    await this.#count({ ...this.#counts, dropped: this.#counts.dropped + 1 })
  }

  async #promise(page: ShownPage): Promise<void> {
    const why = await this.#whyNot(page)
    if (this.#watch.isCurrent(page)) this.#mark(page.tabId, why === null)
  }

  async #take(page: ShownPage): Promise<void> {
    try {
      this.#mark(page.tabId, await this.#isKept(page))
    } catch (failure) {
      this.#mark(page.tabId, false)
      if (!(failure instanceof ToolFailure)) console.error('Penny: a page could not be kept', failure)
    }
  }

  async #isKept(page: ShownPage): Promise<boolean> {
    const server = this.host.server()
    if (server === null || (await this.#whyNot(page)) !== null || !this.#hasRate()) return false
    await settle(page.tabId)
    if (!this.#watch.isCurrent(page)) return false
    const capture = await readToKeep(page.tabId, server)
    const isStill = this.#watch.isCurrent(page) && this.host.server() === server && (await this.#whyNot(page)) === null
    if (!isStill || this.#whyNotStored(page, capture) !== null) return false
    await this.#count(withAnother(this.#counts, Date.now()))
    return this.host.keep({ tab_id: page.tabId, url: page.url }, capture)
  }

  /** Before anything of the page is read. */
  async #whyNot({ tabId, url, response }: ShownPage): Promise<string | null> {
    const server = this.host.server()
    const tab = await browser.tabs.get(tabId).catch(() => null)
    if (!tab || server === null || tab.url !== url) return 'gone'
    const isErrand = (await stored.errandTabs.getValue()).some(({ id }) => id === tabId)
    const page = {
      url,
      title: tab.title ?? '',
      isPrivate: tab.incognito,
      cookieStoreId: (tab as { cookieStoreId?: string }).cookieStoreId,
      isOpenedByUs: isErrand || isOpenedByUs(tabId),
      response,
    }
    return whyNotRead(page, this.#rules(server))
  }

  #whyNotStored({ url }: ShownPage, { page, masked, maskedCharacters, signs }: Capture): string | null {
    const address = webUrl(url)
    const server = this.host.server()
    if (!signs || !address || server === null) return 'no_page'
    const isChosen = verdict(address, { ...this.#rules(server), capability: 'keep' }) === 'allowed'
    const { title, text } = page
    const words = page.words ?? text.split(/\s+/).length
    return whyNotKept({ title, text, words, masked, maskedCharacters, signs, isChosen })
  }

  #rules(server: string): KeepRules {
    return { mode: this.#switch.mode, server, grants: this.host.grants(), now: Date.now() }
  }

  #hasRate(): boolean {
    const now = Date.now()
    const { day, today, last } = this.#counts
    const isFull = day === dayOf(now) && today >= A_DAY_MOST
    return !isFull && last.filter((at) => now - at < A_MINUTE_MS).length < A_MINUTE_MOST
  }

  #mark(tabId: number, isKept: boolean): void {
    if (this.#tabs.has(tabId) === isKept) return
    if (isKept) this.#tabs.add(tabId)
    else this.#tabs.delete(tabId)
    this.host.show({ keptTabs: [...this.#tabs] })
  }

  async #turn(next: KeepSwitch): Promise<void> {
    this.#switch = next
    this.#follow()
    await stored.keepSwitch.setValue(next)
  }

  async #count(counts: KeepCounts): Promise<void> {
    this.#counts = counts
    this.#show()
    await stored.keepCounts.setValue(counts)
  }

  #follow(): void {
    if (this.#switch.mode === 'off') this.#watch.stop()
    else this.#watch.start()
    this.#show()
  }

  #show(): void {
    const { mode } = this.#switch
    this.host.show({ keepMode: { mode, isKnown: this.#isKnown, dropped: this.#counts.dropped } })
  }
}

/** Wait until the text of the page does not grow any more. A page that never rests is read all the same. */
async function settle(tabId: number): Promise<void> {
  let before = -1
  for (let sample = 0; sample < SAMPLES_MOST; sample++) {
    const [frame] = await browser.scripting.executeScript({ target: { tabId }, func: sizeOfText })
    const size = frame?.result ?? 0
    if (size === before) return
    before = size
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS))
  }
}

/** Runs in the page. */
function sizeOfText(): number {
  return document.body?.textContent?.length ?? 0
}

function withAnother(counts: KeepCounts, now: number): KeepCounts {
  const day = dayOf(now)
  const last = [...counts.last.filter((at) => now - at < A_MINUTE_MS), now]
  return { ...counts, day, today: counts.day === day ? counts.today + 1 : 1, last }
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
