// Opens one page in a tab of its own, hidden where possible, and closes it on every path.
import { browser } from 'wxt/browser'
import { abortable, delay } from '../abortable'
import { firefox } from '../firefox'
import type { BrowseUrlArguments, GrantInfo } from '../protocol.gen'
import { registerPretendVisible } from './pretend_visible'
import { markOwnTab } from './popups'
import { newContainer, removeContainer } from './clean_session'
import { setRedirectRules } from './redirect_rules'
import { Navigation } from './navigation'
import { CleanNeeded } from './check_grant'
import { PdfFound } from './response'
import { sandboxed } from './sandboxed'
import { closeTab, EMPTY, remember } from './open_tabs'
import { POLL_MS } from './page_samples'
import { waitForComplete, waitForPage, TabDied } from './wait_for_page'
import { ToolFailure, type ToolContext } from './call_context'

const LOOKS_MOST = 10
/** The empty page loads at once. A browser that never reports it must not block the call until its deadline. */
export const EMPTY_MS = 5_000
const TABS_MOST = 2

export interface PageTab {
  id: number
  isForList: boolean
  /** Whether the page had not come to rest when it was read. */
  isChanging?: boolean
  /** Aborts when the call ends, and when the tab goes to a host without a grant. */
  signal: AbortSignal
  /** The tab's address, checked against the present grants. */
  checkedUrl(): Promise<string>
}

/**
 * Open a granted URL, wait until the page is quiet, and return the result of `read`. If the process of the tab dies, a
 * second tab is tried. A page that is reached with logins, and may be read without them only, is opened again without.
 */
export async function withPage<T>(
  first: URL,
  wish: BrowseUrlArguments['session'],
  context: ToolContext,
  read: (tab: PageTab) => Promise<T>,
): Promise<T> {
  let url = first
  let session = context.isCleanOnly(url) ? 'clean' : wish
  for (let tabs = 1; ; tabs++) {
    try {
      return await withTab(url, session, context, read)
    } catch (failure) {
      if (failure instanceof PdfFound) failure.session = session
      if (failure instanceof CleanNeeded) {
        session = 'clean'
        url = failure.url
        continue
      }
      if (!(failure instanceof TabDied) || tabs === TABS_MOST) throw failure
      console.info('Penny: the process of a tab ended; another tab is tried')
    }
  }
}

async function withTab<T>(
  url: URL,
  session: BrowseUrlArguments['session'],
  context: ToolContext,
  read: (tab: PageTab) => Promise<T>,
): Promise<T> {
  const navigation = new Navigation(context, session)
  const signal = AbortSignal.any([context.signal, navigation.signal])
  const container = session === 'clean' ? await newContainer() : null
  const endActing = await registerPretendVisible(url)
  let id: number | null = null
  try {
    signal.throwIfAborted()
    id = await openTab(url, container)
    navigation.follow(id)
    if (!import.meta.env.FIREFOX) await loadWithRules({ id, signal }, url, context.rules(), session)
    const { isForList = false } = context
    const tab: PageTab = { id, signal, isForList, checkedUrl: () => checkedUrl(tab, navigation) }
    context.doing('load')
    const needsSandbox = session === 'clean' && !container
    return await abortable(readWhenQuiet(tab, navigation, context, needsSandbox ? sandboxed(read) : read), signal)
  } finally {
    context.doing('close')
    if (id !== null) await closeTab(id)
    navigation.end() // last: until the tab is closed, it may still navigate
    await endActing()
    if (container) await removeContainer(container)
  }
}

async function readWhenQuiet<T>(
  tab: PageTab,
  navigation: Navigation,
  context: ToolContext,
  read: (tab: PageTab) => Promise<T>,
): Promise<T> {
  tab.isChanging = await waitForPage(tab)
  navigation.assertAnswered()
  await tab.checkedUrl()
  context.doing('read')
  const result = await read(tab)
  await tab.checkedUrl()
  tab.signal.throwIfAborted()
  return result
}

async function checkedUrl(tab: PageTab, navigation: Navigation): Promise<string> {
  const url = await urlOfTab(tab)
  navigation.check(url)
  await remember({ id: tab.id, url })
  return url
}

/** While a page moves to another process, Firefox briefly reports a tab without an address. */
async function urlOfTab(tab: PageTab): Promise<string> {
  for (let looks = 0; looks < LOOKS_MOST; looks++) {
    const { url } = await tabById(tab.id)
    if (url) return url
    await delay(POLL_MS, tab.signal)
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

async function openTab(url: URL, container: string | null): Promise<number> {
  const where = container ? { cookieStoreId: container } : { windowId: await ordinaryWindow() }
  const first = import.meta.env.FIREFOX ? url.href : EMPTY
  const tab = await browser.tabs.create({ url: first, active: false, ...where })
  if (tab.id === undefined) throw new ToolFailure('load_failed', 'The browser did not open a tab.')
  markOwnTab(tab.id)
  await remember({ id: tab.id, url: url.href })
  await hideAndMute(tab.id)
  return tab.id
}

/** In Chrome the rules must exist before the first request: a fast site redirects sooner than rules can be added. */
async function loadWithRules(
  tab: Pick<PageTab, 'id' | 'signal'>,
  url: URL,
  grants: readonly GrantInfo[],
  session: GrantInfo['session'],
): Promise<void> {
  const empty = waitForComplete(tab, () => true, EMPTY_MS) // if it arrived late, it would replace our page
  await Promise.all([setRedirectRules(tab.id, url, grants, session), empty])
  await browser.tabs.update(tab.id, { url: url.href })
}

/** Never a private window: what is read there would be sent to Penny. */
export async function ordinaryWindow(): Promise<number | undefined> {
  const windows = await browser.windows.getAll({ windowTypes: ['normal'] })
  const ordinary = windows.filter((window) => !window.incognito)
  if (ordinary.length === 0) throw new ToolFailure('load_failed', 'No browser window is open.')
  return (ordinary.find((window) => window.focused) ?? ordinary[0])?.id
}

/** Firefox can hide the tab. Chrome shows it in the background. */
async function hideAndMute(id: number): Promise<void> {
  const muting = browser.tabs.update(id, { muted: true })
  const hiding = import.meta.env.FIREFOX ? firefox.tabs.hide(id) : null
  await Promise.all([muting, hiding]).catch((reason: unknown) => {
    console.info('Penny: the tab could not be hidden or muted', reason)
  })
}
