// Watches which pages the owner's tabs show, and for how long. It reads nothing of them. Only while keeping is on.
import { browser, type Browser } from 'wxt/browser'
import type { PageResponse } from './rules/before'

/** A page that is left earlier was not read. */
export const DWELL_MS = 3_000
const TOP_FRAME = 0
const PAGES = { urls: ['http://*/*', 'https://*/*'], types: ['main_frame' as const] }

/** A page in the top frame of a tab, until the tab goes elsewhere. */
export interface ShownPage {
  tabId: number
  url: string
  response: PageResponse | null
}

interface Watcher {
  /** A page began to be in front. */
  onBegin(page: ShownPage): void
  /** It was in front for DWELL_MS since it was loaded, or since the page changed its own address. */
  onDwell(page: ShownPage): void
  onGone(tabId: number): void
}

type Listened = { addListener(listener: never, ...more: never[]): void; removeListener(listener: never): void }
interface Navigation {
  tabId: number
  frameId: number
  url: string
}

export class PageWatch {
  readonly #pages = new Map<number, ShownPage>()
  readonly #responses = new Map<number, { url: string; response: PageResponse }>()
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>()
  /** The pages of which onDwell was told. */
  readonly #dwelled = new WeakSet<ShownPage>()
  #end: (() => void) | null = null

  constructor(private readonly watcher: Watcher) {}

  /** Pages that are open already are not kept: how they were answered is not known. */
  start(): void {
    if (this.#end) return
    const { onCommitted, onDOMContentLoaded, onHistoryStateUpdated } = browser.webNavigation
    const { onResponseStarted } = browser.webRequest
    const onAnswer = (details: Browser.webRequest.OnResponseStartedDetails) => this.#takeResponse(details)
    onResponseStarted.addListener(onAnswer, PAGES, ['responseHeaders'])
    const ends = [
      () => onResponseStarted.removeListener(onAnswer),
      listen(onCommitted, ({ tabId, frameId, url }: Navigation) => frameId === TOP_FRAME && this.#begin(tabId, url)),
      listen(onDOMContentLoaded, ({ tabId, frameId }: Navigation) => frameId === TOP_FRAME && this.#wait(tabId)),
      listen(
        onHistoryStateUpdated,
        ({ tabId, frameId, url }: Navigation) => frameId === TOP_FRAME && this.#goOn(tabId, url),
      ),
      listen(browser.tabs.onActivated, ({ tabId }: { tabId: number }) => this.#wait(tabId)),
      listen(browser.tabs.onRemoved, (tabId: number) => this.#forget(tabId)),
      listen(browser.windows.onFocusChanged, () => void this.#waitInFront()),
    ]
    this.#end = () => ends.forEach((end) => end())
  }

  stop(): void {
    this.#end?.()
    this.#end = null
    for (const tabId of [...this.#pages.keys()]) this.#forget(tabId)
    this.#responses.clear()
  }

  /** Whether the tab still shows this page. */
  isCurrent(page: ShownPage): boolean {
    return this.#pages.get(page.tabId) === page
  }

  #takeResponse(details: Browser.webRequest.OnResponseStartedDetails): void {
    const { tabId, url, statusCode, method, responseHeaders = [], ip = '' } = details
    const header = (name: string) => responseHeaders.find((one) => one.name.toLowerCase() === name)?.value ?? ''
    const isNoStore = /\bno-store\b/i.test(header('cache-control'))
    const response = { status: statusCode, method, type: header('content-type'), isNoStore, ip }
    this.#responses.set(tabId, { url: withoutPart(url), response })
  }

  #begin(tabId: number, url: string): void {
    const answer = this.#responses.get(tabId)
    this.#responses.delete(tabId)
    this.#show({ tabId, url, response: answer?.url === withoutPart(url) ? answer.response : null })
  }

  /** The page changed its own address: it came with the same answer. */
  #goOn(tabId: number, url: string): void {
    const page = this.#pages.get(tabId)
    if (!page || withoutPart(page.url) === withoutPart(url)) return
    this.#show({ ...page, url })
    this.#wait(tabId)
  }

  #show(page: ShownPage): void {
    this.#forget(page.tabId)
    this.#pages.set(page.tabId, page)
  }

  #wait(tabId: number): void {
    const page = this.#pages.get(tabId)
    clearTimeout(this.#timers.get(tabId))
    if (!page || this.#dwelled.has(page)) return
    this.watcher.onBegin(page)
    this.#timers.set(
      tabId,
      setTimeout(() => void this.#dwelt(page), DWELL_MS),
    )
  }

  /** A tab that is behind others is waited for anew when it comes to the front. */
  async #dwelt(page: ShownPage): Promise<void> {
    if (!this.isCurrent(page) || this.#dwelled.has(page) || !(await isInFront(page.tabId))) return
    this.#dwelled.add(page)
    this.watcher.onDwell(page)
  }

  async #waitInFront(): Promise<void> {
    for (const { id } of await browser.tabs.query({ active: true })) if (id !== undefined) this.#wait(id)
  }

  #forget(tabId: number): void {
    clearTimeout(this.#timers.get(tabId))
    this.#timers.delete(tabId)
    if (this.#pages.delete(tabId)) this.watcher.onGone(tabId)
  }
}

async function isInFront(tabId: number): Promise<boolean> {
  const tab = await browser.tabs.get(tabId).catch(() => null)
  if (!tab?.active) return false
  const around = await browser.windows.get(tab.windowId).catch(() => null)
  return around !== null && around.state !== 'minimized'
}

function listen(event: Listened, listener: unknown): () => void {
  event.addListener(listener as never)
  return () => event.removeListener(listener as never)
}

function withoutPart(url: string): string {
  return url.replace(/#.*$/, '')
}
