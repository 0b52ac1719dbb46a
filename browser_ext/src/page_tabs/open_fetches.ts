// Whether a page waits for an answer to a request of its scripts, or for a script, so that it may soon change.
import type { Browser } from 'wxt/browser'
import { browser } from 'wxt/browser'

/** A request that is open for longer waits for news (long polling), or its server is too slow. */
const AWAITED_MS = 3_000
const OPEN_MOST = 1_000

type Request = Pick<Browser.webRequest.OnBeforeRequestDetails, 'requestId'>

export class OpenFetches {
  readonly #begins = new Map<string, number>()

  constructor(tabId: number) {
    const filter: Browser.webRequest.RequestFilter = {
      urls: ['http://*/*', 'https://*/*'],
      types: ['xmlhttprequest', 'script'],
      tabId,
    }
    browser.webRequest.onBeforeRequest.addListener(this.#onBegin, filter)
    browser.webRequest.onCompleted.addListener(this.#onEnd, filter)
    browser.webRequest.onErrorOccurred.addListener(this.#onEnd, filter)
  }

  /** Whether a request began lately and is not answered. Forgets those that began earlier. */
  any(): boolean {
    const now = Date.now()
    for (const [id, begin] of this.#begins) if (now - begin >= AWAITED_MS) this.#begins.delete(id)
    return this.#begins.size > 0
  }

  end(): void {
    browser.webRequest.onBeforeRequest.removeListener(this.#onBegin)
    browser.webRequest.onCompleted.removeListener(this.#onEnd)
    browser.webRequest.onErrorOccurred.removeListener(this.#onEnd)
  }

  readonly #onBegin = ({ requestId }: Request): undefined => {
    if (this.#begins.size < OPEN_MOST) this.#begins.set(requestId, Date.now())
  }

  readonly #onEnd = ({ requestId }: Request): void => {
    this.#begins.delete(requestId)
  }
}
