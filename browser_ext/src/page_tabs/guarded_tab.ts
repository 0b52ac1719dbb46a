// Guards a tab that somebody else opens and closes: where it goes, with which session, and what its address is.
import { browser } from 'wxt/browser'
import { delay } from '../abortable'
import type { BrowseUrlArguments } from '../protocol.gen'
import { ToolFailure, type ToolContext } from './call_context'
import { Navigation } from './navigation'
import { EMPTY, remember } from './open_tabs'
import { POLL_MS } from './page_samples'
import { setRedirectRules } from './rules/redirect_rules'
import { waitForComplete } from './wait_for_page'

const LOOKS_MOST = 10
/** The empty page loads at once. A browser that never reports it must not block the call until its deadline. */
export const EMPTY_MS = 5_000

/** Listens as soon as it is made: before the tab exists. */
export class TabGuard {
  readonly #navigation: Navigation
  /** Aborts when the call ends, and when the tab goes to a host without a grant. */
  readonly signal: AbortSignal

  constructor(
    private readonly context: Pick<ToolContext, 'signal' | 'permits' | 'isCleanOnly' | 'rules'>,
    private readonly session: BrowseUrlArguments['session'],
  ) {
    this.#navigation = new Navigation(context, session)
    this.signal = AbortSignal.any([context.signal, this.#navigation.signal])
  }

  /** Where a tab that will be guarded begins. In Chrome it waits there for its rules. */
  static firstAddress(url: URL): string {
    return import.meta.env.FIREFOX ? url.href : EMPTY
  }

  /** Guard the tab, and open the URL in it. */
  async follow(tabId: number, url: URL): Promise<void> {
    this.#navigation.follow(tabId)
    if (!import.meta.env.FIREFOX) await this.#loadWithRules(tabId, url)
  }

  /** In Chrome the rules must exist before the first request: a fast site redirects sooner than rules can be added. */
  async #loadWithRules(id: number, url: URL): Promise<void> {
    const empty = waitForComplete({ id, signal: this.signal }, () => true, EMPTY_MS) // if it arrived late, it would replace our page
    await Promise.all([setRedirectRules(id, url, this.context.rules(), this.session), empty])
    await browser.tabs.update(id, { url: url.href })
  }

  /** Return the tab's address, checked against the present grants. */
  async checkedUrl(tabId: number): Promise<string> {
    const url = await urlOfTab(tabId, this.signal)
    this.#navigation.check(url)
    await remember({ id: tabId, url })
    return url
  }

  /** Throws if the page is an error of the site. */
  assertAnswered(): void {
    this.#navigation.assertAnswered()
  }

  /** Only once the tab is closed: until then it may still navigate. */
  end(): void {
    this.#navigation.end()
  }
}

/** While a page moves to another process, Firefox briefly reports a tab without an address. */
async function urlOfTab(id: number, signal: AbortSignal): Promise<string> {
  for (let looks = 0; looks < LOOKS_MOST; looks++) {
    const { url } = await tabById(id)
    if (url) return url
    await delay(POLL_MS, signal)
  }
  throw new ToolFailure('load_failed', 'The page did not open.')
}

async function tabById(id: number): Promise<{ url?: string }> {
  try {
    return await browser.tabs.get(id)
  } catch {
    throw new ToolFailure('load_failed', 'The tab was closed before the page could be read.')
  }
}
