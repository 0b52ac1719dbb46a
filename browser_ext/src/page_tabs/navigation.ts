// Watches where the tab of a tool goes. Every hop of a redirect is checked, not only the page that it ends at; Firefox
// stops the request before it is sent, Chrome's extensions can only look on, so there the tab is closed at once.
import { browser, type Browser } from 'wxt/browser'
import { webUrl } from '../grants/hosts'
import { isPopup } from './popups'
import { assertStillGranted } from './check_grant'
import { assertReadable, assertAnswered, isSaved } from './response'
import { ToolFailure, type ToolContext } from './call_context'

type Request = Browser.webRequest.OnBeforeRequestDetails
type Headers = Browser.webRequest.OnHeadersReceivedDetails
type Failed = Browser.webRequest.OnErrorOccurredDetails
type Answer = Promise<Browser.webRequest.BlockingResponse>

const FILTER: Browser.webRequest.RequestFilter = { urls: ['http://*/*', 'https://*/*'], types: ['main_frame'] }
/** A page that replaces itself aborts its own request; that is no failure of the page. */
const REPLACED = ['net::ERR_ABORTED', 'NS_BINDING_ABORTED', 'NS_ERROR_ABORT']
/** Chrome's own rules stopped a request to a host that is not granted. */
const FENCED = 'net::ERR_BLOCKED_BY_CLIENT'

export class Navigation {
  readonly #stop = new AbortController()
  readonly #tab: Promise<number>
  #follow: (tabId: number) => void = () => undefined
  #status = 0
  #newest: string | undefined
  /** The request that brought the page that the tab shows. */
  #page: string | undefined

  /** Listens from before the tab exists, so that no hop of a fast server is missed. */
  constructor(private readonly permits: ToolContext['permits']) {
    this.#tab = new Promise((resolve) => (this.#follow = resolve))
    browser.webRequest.onBeforeRequest.addListener(this.#onRequest, FILTER, import.meta.env.FIREFOX ? ['blocking'] : [])
    browser.webRequest.onHeadersReceived.addListener(this.#onHeaders, FILTER, ['responseHeaders', ...(import.meta.env.FIREFOX ? (['blocking'] as const) : [])])
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
    browser.webRequest.onHeadersReceived.removeListener(this.#onHeaders)
    browser.webRequest.onErrorOccurred.removeListener(this.#onFailed)
    this.#follow(browser.tabs.TAB_ID_NONE)
  }

  /** Throws when the page at which the tab ended is the site's word for an error: that is not content. */
  assertAnswered(): void {
    assertAnswered(this.#status)
  }

  /** Throws, and stops everything, when this is not an address that may be read. */
  check(url: string): void {
    this.#stopUnless(() => assertStillGranted(url, this.permits))
  }

  #stopUnless(isFine: () => void): void {
    try {
      isFine()
    } catch (failure) {
      this.#stop.abort(failure)
      throw failure
    }
  }

  // Answers with a promise: requests that start before the tab's id is known wait for it for the few milliseconds that takes.
  readonly #onRequest = (request: Request) => this.#judge(request) as unknown as undefined

  async #judge({ tabId, url, requestId }: Pick<Request, 'tabId' | 'url' | 'requestId'>): Answer {
    if (tabId !== (await this.#tab)) return { cancel: await isPopup(tabId) } // what will be closed asks no site for anything before that
    this.#newest = requestId
    try {
      this.check(url)
      return {}
    } catch {
      return { cancel: true } // everyone who waits has been told why
    }
  }

  // Firefox neither shows nor saves what is a file: a PDF that it saved it would open in a tab of its own.
  readonly #onHeaders = (response: Headers) =>
    this.#checkHeaders(response).then(
      (isPage) => ({ cancel: !isPage }),
      () => ({ cancel: true }),
    ) as unknown as undefined

  /** Returns whether the tab may go on with it. */
  async #checkHeaders({ tabId, statusCode, responseHeaders, requestId, url }: Headers): Promise<boolean> {
    if (tabId !== (await this.#tab)) return true
    const headers = responseHeaders ?? []
    if (this.#page && this.#page !== requestId && isSaved(statusCode, headers, url)) return false // a page that saves a file stays the page that it was
    this.#status = statusCode
    this.#stopUnless(() => assertReadable(statusCode, headers, url))
    if (statusCode < 300) this.#page = requestId
    return true
  }

  readonly #onFailed = async ({ tabId, error, url, requestId }: Failed) => {
    if (tabId !== (await this.#tab) || REPLACED.includes(error)) return
    if (error === FENCED) await this.#judge({ tabId, url, requestId })
    if (requestId !== this.#newest) return // the page has asked for another since
    this.#stop.abort(new ToolFailure('load_failed', `${webUrl(url)?.hostname ?? 'The site'} could not be reached.`))
  }
}
