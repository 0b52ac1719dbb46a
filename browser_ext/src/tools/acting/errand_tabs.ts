// The tabs in which Penny acts, by names of their own. The names survive the background, and end with the browser.
import { browser } from 'wxt/browser'
import { covers } from '../../grants/grants'
import { hostOf, webUrl } from '../../grants/hosts'
import { ToolFailure, type ToolContext } from '../../page_tabs/call_context'
import { assertAlive } from '../../page_tabs/wait_for_page'
import { InTurn } from '../../server/in_turn'
import { stored, type ErrandTab } from '../../state/stored'

const TABS_MOST = 20
/** Snapshots give numbers frame by frame; of older ones, only the page itself is remembered. */
const RANGES_MOST = 200
const TOP_FRAME = 0

const turn = new InTurn()
const acts = new Map<string, InTurn>()

export async function addTab(tab: ErrandTab): Promise<void> {
  await turn.next(async () => {
    const others = (await stored.errandTabs.getValue()).filter(({ id }) => id !== tab.id)
    await stored.errandTabs.setValue([...others, tab].slice(-TABS_MOST))
  })
}

/** Return the entry as changed. A tab that was given back meanwhile stays away. */
export async function changeTab(name: string, change: Partial<ErrandTab>): Promise<void> {
  await turn.next(async () => {
    const tabs = await stored.errandTabs.getValue()
    await stored.errandTabs.setValue(tabs.map((tab) => (tab.name === name ? { ...tab, ...change } : tab)))
  })
}

export async function removeTab(name: string): Promise<void> {
  acts.delete(name)
  interruptions.delete(name)
  await turn.next(async () => {
    const tabs = await stored.errandTabs.getValue()
    await stored.errandTabs.setValue(tabs.filter((tab) => tab.name !== name))
  })
}

/** Throws `no_tab` for a name that Penny does not have. */
export async function tabNamed(name: string): Promise<ErrandTab> {
  const tab = (await stored.errandTabs.getValue()).find((one) => one.name === name)
  if (!tab) throw new ToolFailure('no_tab', 'Penny has no such tab.')
  return tab
}

const interruptions = new Map<string, AbortController>()

/** What happens in a tab ends when its owner interrupts it. Nothing begins there until they give it back. */
export function untilInterrupted(name: string, context: ToolContext): ToolContext {
  const own = interruptions.get(name) ?? new AbortController()
  interruptions.set(name, own)
  return { ...context, signal: AbortSignal.any([context.signal, own.signal]) }
}

export function interrupt(name: string, reason: ToolFailure): void {
  const own = interruptions.get(name) ?? new AbortController()
  interruptions.set(name, own)
  own.abort(reason)
}

export function goOnIn(name: string): void {
  if (interruptions.get(name)?.signal.aborted) interruptions.delete(name)
}

/** One act after the other in each tab. */
export function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const own = acts.get(name) ?? new InTurn()
  acts.set(name, own)
  return own.next(work)
}

export interface Presence {
  tab: ErrandTab
  url: URL
  title: string
}

/** Return where the tab is now. Throws unless that is a page of its errand's site, on which Penny may act. */
export async function presenceOf(tab: ErrandTab, context: ToolContext): Promise<Presence> {
  context.signal.throwIfAborted()
  if (tab.isTheirs) throw new ToolFailure('owner_took_over', 'The owner has the page.')
  const now = await browser.tabs.get(tab.id).catch(() => failClosed())
  const { url: text, title = '', incognito } = now
  if (incognito) throw new ToolFailure('no_tab', 'Penny does nothing in private windows.')
  assertAlive(now)
  return { tab, url: siteUrl(text ?? '', tab.site, context), title }
}

/** Throws `left_site` for another site, `not_granted` where Penny may not act. */
export function siteUrl(text: string, site: string, { mayAct }: Pick<ToolContext, 'mayAct'>): URL {
  const url = webUrl(text)
  if (!url) throw new ToolFailure('left_site', 'The tab shows no web page.')
  if (!covers(site, hostOf(url))) throw new ToolFailure('left_site', hostOf(url))
  if (!mayAct(url)) throw new ToolFailure('not_granted', `You have not allowed Penny to act on ${hostOf(url)}.`)
  return url
}

function failClosed(): never {
  throw new ToolFailure('no_tab', 'The tab was closed.')
}

// The numbers of elements
// -----------------------------------------------------------------------------------------------------------------

/** Note that a frame gave the numbers from the tab's next one on. */
export function withNumbers(tab: ErrandTab, frameId: number, next: number): ErrandTab {
  if (next <= tab.next) return tab
  const ranges = frameId === TOP_FRAME ? tab.ranges : [...tab.ranges, { frameId, from: tab.next, to: next }]
  return { ...tab, next, ranges: ranges.slice(-RANGES_MOST) }
}

export function frameOf({ ranges }: Pick<ErrandTab, 'ranges'>, ref: string | null | undefined): number {
  const number = Number(ref ?? 0)
  return ranges.find(({ from, to }) => from <= number && number < to)?.frameId ?? TOP_FRAME
}
