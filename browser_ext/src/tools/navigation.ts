// Watches where the tab of a tool goes. Every hop of a redirect is checked, not only the page that it ends at; Firefox
// stops the request before it is sent, Chrome's extensions can only look on, so there the tab is closed at once.
import { browser, type Browser } from 'wxt/browser'
import { webUrl } from '../hosts'
import { assertStillGranted } from './granted'
import { ToolFailure, type ToolContext } from './tool'

type Request = Browser.webRequest.OnBeforeRequestDetails
type Completed = Browser.webRequest.OnCompletedDetails
type Failed = Browser.webRequest.OnErrorOccurredDetails

const FILTER: Browser.webRequest.RequestFilter = { urls: ['http://*/*', 'https://*/*'], types: ['main_frame'] }
/** A page that replaces itself aborts its own request; that is no failure of the page. */
const REPLACED = ['net::ERR_ABORTED', 'NS_BINDING_ABORTED', 'NS_ERROR_ABORT']

export class Navigation {
  readonly #stop = new AbortController()
  readonly #tab: Promise<number>
  #follow: (tabId: number) => void = () => undefined
  #status: number | null = null

  /** Listens from before the tab exists, so that no hop of a fast server is missed. */
  constructor(private readonly permits: ToolContext['permits']) {
    this.#tab = new Promise((resolve) => (this.#follow = resolve))
    browser.webRequest.onBeforeRequest.addListener(this.#onRequest, FILTER, import.meta.env.FIREFOX ? ['blocking'] : [])
    browser.webRequest.onCompleted.addListener(this.#onCompleted, FILTER)
    browser.webRequest.onErrorOccurred.addListener(this.#onFailed, FILTER)
  }

  /** Aborts as soon as the tab leads to where it may not be read, or cannot load. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  follow(tabId: number): void {
    this.#follow(tabId)
  }

  end(): void {
    browser.webRequest.onBeforeRequest.removeListener(this.#onRequest)
    browser.webRequest.onCompleted.removeListener(this.#onCompleted)
    browser.webRequest.onErrorOccurred.removeListener(this.#onFailed)
    this.#follow(browser.tabs.TAB_ID_NONE)
  }

  /** Throws when the site answered with an error: an error page is not content. */
  assertAnswered(): void {
    if (this.#status !== null && this.#status >= 400) throw statusFailure(this.#status)
  }

  /** Throws, and stops everything, when this is not an address that may be read. */
  check(url: string): void {
    try {
      assertStillGranted(url, this.permits)
    } catch (failure) {
      this.#stop.abort(failure)
      throw failure
    }
  }

  // Answers with a promise: requests that start before the tab's id is known wait for it for the few milliseconds that takes.
  readonly #onRequest = (request: Request) => this.#judge(request) as unknown as undefined

  readonly #onCompleted = async ({ tabId, statusCode }: Completed) => {
    if (tabId === (await this.#tab)) this.#status = statusCode
  }

  readonly #onFailed = async ({ tabId, error, url }: Failed) => {
    if (tabId !== (await this.#tab) || REPLACED.includes(error)) return
    this.#stop.abort(new ToolFailure('load_failed', `${webUrl(url)?.hostname ?? 'The site'} could not be reached.`))
  }

  async #judge({ tabId, url }: Request): Promise<Browser.webRequest.BlockingResponse> {
    if (tabId !== (await this.#tab)) return {}
    try {
      this.check(url)
      return {}
    } catch {
      return { cancel: true } // `check` has told everyone why
    }
  }
}

function statusFailure(status: number): ToolFailure {
  if (status === 401) return new ToolFailure('needs_sign_in', 'The site asked for a sign-in.')
  if (status === 403 || status === 429) return new ToolFailure('blocked_by_site', 'The site did not let Penny in.')
  return new ToolFailure('load_failed', `The site answered with error ${status}.`)
}
