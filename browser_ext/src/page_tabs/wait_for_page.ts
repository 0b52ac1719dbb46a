import { browser } from 'wxt/browser'
import { abortable, delay } from '../abortable'
import { LOOK_EVENT } from '../extract/visibility/pretend_visible'
import { isAtRest, isClosedToUs, isQuiet, pauseAfter, placeAfter, type Place, type Sample } from './page_samples'
import { prepareToRun } from './run_in_page'
import { OpenFetches } from './open_fetches'
import { ToolFailure } from './call_context'

type Look = Omit<Sample, 'at'>

export interface LoadingTab {
  id: number
  /** Whether it is read for a list that may grow while it is scrolled. */
  isForList?: boolean
  signal: AbortSignal
  checkedUrl(): Promise<string>
}

/** A page that loads for longer (a slow advertisement, an endless stream) is read all the same. */
const COMPLETE_MS = 10_000
const ALIVE_MS = 1_000

/** The process of the tab died: this tab will never show the page. */
export class TabDied extends ToolFailure {
  constructor() {
    super('load_failed', 'The browser could not show the page: the process of its tab ended.')
  }
}

/**
 * Resolves when the page is loaded and quiet, with whether it still changes: it is read then too. Only the signal ends
 * the waiting.
 */
export async function waitForPage(tab: LoadingTab): Promise<boolean> {
  const fetches = new OpenFetches(tab.id)
  try {
    await waitForLoad(tab, COMPLETE_MS)
    return await waitForQuiet(tab, fetches)
  } finally {
    fetches.end()
  }
}

async function waitForQuiet(tab: LoadingTab, fetches: OpenFetches): Promise<boolean> {
  const samples: Sample[] = []
  while (!isQuiet(samples)) {
    if (isClosedToUs(samples))
      throw new ToolFailure('load_failed', 'The browser shows a page there that Penny cannot read.')
    if (samples.length > 0) await delay(pauseAfter(samples), tab.signal)
    const sample = await takeSample(tab, placeAfter(samples, tab.isForList))
    if (samples.length === 0) prepareToRun(tab.id)
    samples.push({ ...sample, at: performance.now(), isStirred: sample.isStirred || fetches.any() })
  }
  return !isAtRest(samples)
}

/** Wait until the tab has loaded a page, at most so long. Throws if it was closed, or if its process died. */
export async function waitForLoad(tab: Loading, withinMs: number): Promise<void> {
  const ends = Date.now() + withinMs
  while (Date.now() < ends && !(await waitForComplete(tab, isPage, ALIVE_MS))) await alive(tab.id)
}

/** Return the tab. Throws if it was closed, or if its process died. */
async function alive(tabId: number): Promise<{ url?: string; status?: string }> {
  const tab = await browser.tabs.get(tabId).catch(() => failClosed())
  assertAlive(tab)
  return tab
}

/** Chrome calls a tab unloaded whose process died, and a tab that it put to sleep. */
export function assertAlive({ status, discarded }: { status?: string; discarded?: boolean }): void {
  if (status === 'unloaded' && !discarded) throw new TabDied()
}

type Loading = Pick<LoadingTab, 'id' | 'signal'>
type IsAwaited = (url?: string) => boolean

/** Resolve with whether the tab loaded an awaited address in time. */
export async function waitForComplete(
  { id, signal }: Loading,
  isAwaited: IsAwaited,
  withinMs: number,
): Promise<boolean> {
  const over = new AbortController()
  const either = AbortSignal.any([signal, over.signal])
  const complete = completeEvent({ id, signal: either }, isAwaited).then(() => true)
  return Promise.race([complete, delay(withinMs, either).then(() => false)]).finally(() => over.abort())
}

/** Listen first and look second: a page that completes in between would be missed. */
async function completeEvent({ id, signal }: Loading, isAwaited: IsAwaited): Promise<void> {
  const listening = new AbortController()
  const complete = new Promise<void>((resolve, reject) => {
    const onUpdated = (tabId: number, change: { status?: string }, tab: { url?: string }) => {
      if (tabId === id && change.status === 'complete' && isAwaited(tab.url)) resolve()
    }
    const onRemoved = (tabId: number) => {
      if (tabId === id) reject(new ToolFailure('load_failed', 'The tab was closed before the page could be read.'))
    }
    browser.tabs.onUpdated.addListener(onUpdated)
    browser.tabs.onRemoved.addListener(onRemoved)
    listening.signal.addEventListener('abort', () => {
      browser.tabs.onUpdated.removeListener(onUpdated)
      browser.tabs.onRemoved.removeListener(onRemoved)
    })
    browser.tabs.get(id).then((tab) => tab.status === 'complete' && isAwaited(tab.url) && resolve(), reject)
  })
  await abortable(complete, signal).finally(() => listening.abort())
}

/** A new tab is complete with about:blank before the first request. */
function isPage(url: string | undefined): boolean {
  return url !== undefined && url !== '' && url !== 'about:blank'
}

/** Check the address at every sample, so that a page that navigates is left at once. */
async function takeSample(tab: LoadingTab, place: Place): Promise<Look> {
  const { url, status } = await alive(tab.id)
  const nothing = { characters: null, isComplete: status === 'complete', scrolledTo: null, isStirred: false }
  if (!isPage(url)) return nothing
  await tab.checkedUrl()
  return (await sample(tab.id, place)) ?? nothing
}

function failClosed(): never {
  throw new ToolFailure('load_failed', 'The tab was closed before the page could be read.')
}

/** Return null if nothing can be measured: between two documents, or always on a page of the browser. */
async function sample(tabId: number, place: Place): Promise<Look | null> {
  try {
    const [first] = await browser.scripting.executeScript({
      target: { tabId },
      func: measure,
      args: [place, LOOK_EVENT],
    })
    return first?.result ?? null
  } catch {
    return null
  }
}

/** Runs in the page. Dispatches the scroll and look events itself, because browsers send none to a hidden tab. */
function measure(place: Place, eventName: string): Look {
  const text = document.body?.innerText.trim() ?? ''
  const ideographs = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0
  const characters = text.length + 2 * ideographs
  const isComplete = document.readyState === 'complete'
  const end = document.documentElement.scrollHeight
  const scrolledTo = characters > 0 && end > innerHeight ? place : null
  if (scrolledTo) {
    scrollTo({ top: scrolledTo === 'end' ? end : 0, behavior: 'instant' })
    document.dispatchEvent(new Event('scroll', { bubbles: true }))
  }
  const isShown = !dispatchEvent(new Event(eventName, { cancelable: true }))
  return { characters, isComplete, scrolledTo, isStirred: isShown || scrolledTo === 'end' }
}
