// Watches where the tab of a tool goes. Every hop of a redirect is checked, not only the last page. Firefox cancels the
// request before it is sent. Chrome's extensions cannot cancel, so there the tab is closed at once.
import { browser, type Browser } from 'wxt/browser'
import { webUrl } from '../grants/hosts'
import { isPopup } from './popups'
import type { BrowseUrlArguments } from '../protocol.gen'
import { assertSession, assertStillGranted } from './check_grant'
import { sandboxOf } from './rules/session_rules'
import { assertReadable, assertAnswered, isSaved } from './response'
import { ToolFailure, type ToolContext } from './call_context'

type Request = Browser.webRequest.OnBeforeRequestDetails
type Headers = Browser.webRequest.OnHeadersReceivedDetails
type Failed = Browser.webRequest.OnErrorOccurredDetails
type Answer = Promise<Browser.webRequest.BlockingResponse>

const FILTER: Browser.webRequest.RequestFilter = { urls: ['http://*/*', 'https://*/*'], types: ['main_frame'] }
/** Firefox gives each document of our tab the policy that Chrome's rules give it. */
const DOCUMENTS: Browser.webRequest.RequestFilter = { ...FILTER, types: ['main_frame', 'sub_frame'] }
/** A page that replaces itself aborts its own request, which is no failure. */
const REPLACED = ['net::ERR_ABORTED', 'NS_BINDING_ABORTED', 'NS_ERROR_ABORT']
/** Redirect rules stopped a request to a host without a grant. */
const BLOCKED_BY_RULES = 'net::ERR_BLOCKED_BY_CLIENT'

export class Navigation {
  readonly #stop = new AbortController()
  readonly #tab: Promise<number>
  #follow: (tabId: number) => void = () => undefined
  #status = 0
  #newest: string | undefined
  /** The request of the page that the tab shows. */
  #page: string | undefined

  /** Listens before the tab exists, so that no hop of a fast server is missed. */
  constructor(
    private readonly context: Pick<ToolContext, 'permits' | 'isCleanOnly'>,
    private readonly session: BrowseUrlArguments['session'],
  ) {
    this.#tab = new Promise((resolve) => (this.#follow = resolve))
    browser.webRequest.onBeforeRequest.addListener(this.#onRequest, FILTER, import.meta.env.FIREFOX ? ['blocking'] : [])
    browser.webRequest.onHeadersReceived.addListener(this.#onHeaders, import.meta.env.FIREFOX ? DOCUMENTS : FILTER, [
      'responseHeaders',
      ...(import.meta.env.FIREFOX ? (['blocking'] as const) : []),
    ])
    browser.webRequest.onErrorOccurred.addListener(this.#onFailed, FILTER)
  }

  /** Aborts as soon as the tab goes to a host without a grant, or cannot load. */
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

  /** Throws if the final page is an error of the site: that is not content. */
  assertAnswered(): void {
    assertAnswered(this.#status)
  }

  /** Throws, and stops everything, if the address may not be read. */
  check(url: string): void {
    this.#stopUnless(() => {
      assertStillGranted(url, this.context.permits)
      assertSession(url, this.session, this.context)
    })
  }

  #stopUnless(isFine: () => void): void {
    try {
      isFine()
    } catch (failure) {
      this.#stop.abort(failure)
      throw failure
    }
  }

  // Answers with a promise: requests that start before the tab's id is known wait a few milliseconds for it.
  readonly #onRequest = (request: Request) => this.#judge(request) as unknown as undefined

  async #judge({ tabId, url, requestId }: Pick<Request, 'tabId' | 'url' | 'requestId'>): Answer {
    // a popup that is about to be closed may send no request
    if (tabId !== (await this.#tab)) return { cancel: await isPopup(tabId) }
    this.#newest = requestId
    try {
      this.check(url)
      return {}
    } catch {
      return { cancel: true } // all callers already know why
    }
  }

  // Firefox may neither show nor save a file: it would open a saved PDF in a tab of its own.
  readonly #onHeaders = (response: Headers) => this.#answerTo(response) as unknown as undefined

  async #answerTo(response: Headers): Answer {
    if (response.tabId !== (await this.#tab)) return {}
    try {
      if (!this.#checkHeaders(response)) return { cancel: true }
    } catch {
      return { cancel: true } // all callers already know why
    }
    const policy = { name: 'Content-Security-Policy', value: sandboxOf(this.session) }
    return { responseHeaders: [...(response.responseHeaders ?? []), policy] }
  }

  /** Return whether the tab may continue with the response. */
  #checkHeaders({ type, statusCode, responseHeaders, requestId, url }: Headers): boolean {
    const headers = responseHeaders ?? []
    if (type !== 'main_frame') return !isSaved(statusCode, headers, url)
    // a page that downloads a file stays the same page
    if (this.#page && this.#page !== requestId && isSaved(statusCode, headers, url)) return false
    this.#status = statusCode
    this.#stopUnless(() => assertReadable(statusCode, headers, url))
    if (statusCode < 300) this.#page = requestId
    return true
  }

  readonly #onFailed = async ({ tabId, error, url, requestId }: Failed) => {
    if (tabId !== (await this.#tab) || REPLACED.includes(error)) return
    if (error === BLOCKED_BY_RULES) {
      await this.#judge({ tabId, url, requestId })
      this.#stopUnless(() => this.assertAnswered()) // the refusal of a site may look like a file
    }
    if (requestId !== this.#newest) return // the page has sent another request since
    this.#stop.abort(new ToolFailure('load_failed', `${webUrl(url)?.hostname ?? 'The site'} could not be reached.`))
  }
}
