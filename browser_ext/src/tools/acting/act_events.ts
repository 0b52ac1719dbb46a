// What the browser tells of a tab while Penny acts in it: where it goes, what it sends, which tabs it opens.
import { browser } from 'wxt/browser'
import { stopOf, type PageRequest, type Stop } from '../../page_tabs/rules/fence'

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
const ADDRESSES = { urls: ['http://*/*', 'https://*/*'] }

export class ActEvents {
  writes = 0
  hasOpenedTab = false
  hasClosedTab = false
  /** The first request that the fence of the tab stopped. */
  stop: Stop | null = null
  /** The main document did not load. */
  hasFailed = false
  /** The main document goes to another address. */
  isLeaving = false
  /** The main document is another one, or has another address. */
  hasMoved = false

  /** `onMoved`: called as soon as another document is there. */
  constructor(
    private readonly tabId: number,
    private readonly onMoved: () => Promise<void>,
  ) {
    browser.webRequest.onBeforeRequest.addListener(this.#onRequest, { ...ADDRESSES, tabId })
    browser.webNavigation.onBeforeNavigate.addListener(this.#onLeaving)
    browser.webNavigation.onCommitted.addListener(this.#onDocument)
    browser.webNavigation.onHistoryStateUpdated.addListener(this.#onMoved)
    browser.webNavigation.onReferenceFragmentUpdated.addListener(this.#onMoved)
    browser.webNavigation.onErrorOccurred.addListener(this.#onFailed)
    browser.webNavigation.onCreatedNavigationTarget.addListener(this.#onTarget)
    browser.tabs.onRemoved.addListener(this.#onRemoved)
  }

  end(): void {
    browser.webRequest.onBeforeRequest.removeListener(this.#onRequest)
    browser.webNavigation.onBeforeNavigate.removeListener(this.#onLeaving)
    browser.webNavigation.onCommitted.removeListener(this.#onDocument)
    browser.webNavigation.onHistoryStateUpdated.removeListener(this.#onMoved)
    browser.webNavigation.onReferenceFragmentUpdated.removeListener(this.#onMoved)
    browser.webNavigation.onErrorOccurred.removeListener(this.#onFailed)
    browser.webNavigation.onCreatedNavigationTarget.removeListener(this.#onTarget)
    browser.tabs.onRemoved.removeListener(this.#onRemoved)
  }

  readonly #onRequest = (request: PageRequest & { type: string }): undefined => {
    const stop = request.type === 'main_frame' ? stopOf(request) : null
    this.stop ??= stop
    if (!stop && WRITES.has(request.method)) this.writes += 1
  }

  readonly #onLeaving = (event: { tabId: number; frameId: number }): void => {
    if (this.#isMain(event)) this.isLeaving = true
  }

  readonly #onDocument = (event: { tabId: number; frameId: number }): void => {
    if (!this.#isMain(event)) return
    this.hasMoved = true
    void this.onMoved()
  }

  readonly #onMoved = (event: { tabId: number; frameId: number }): void => {
    if (this.#isMain(event)) this.hasMoved = true
  }

  readonly #onFailed = (event: { tabId: number; frameId: number }): void => {
    if (!this.#isMain(event)) return
    this.isLeaving = false
    this.hasFailed = true
  }

  readonly #onTarget = ({ sourceTabId }: { sourceTabId: number }): void => {
    if (sourceTabId === this.tabId) this.hasOpenedTab = true
  }

  readonly #onRemoved = (tabId: number): void => {
    if (tabId === this.tabId) this.hasClosedTab = true
  }

  #isMain({ tabId, frameId }: { tabId: number; frameId: number }): boolean {
    return tabId === this.tabId && frameId === 0
  }
}
