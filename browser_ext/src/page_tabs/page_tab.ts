// Opens one page in a tab of its own, hidden where possible, and closes it on every path.
import { browser } from 'wxt/browser'
import { abortable } from '../abortable'
import { firefox } from '../firefox'
import type { BrowseUrlArguments } from '../protocol.gen'
import { registerPretendVisible } from './pretend_visible'
import { markOwnTab } from './popups'
import { newContainer, removeContainer } from './clean_session'
import { TabGuard } from './guarded_tab'
import { CleanNeeded } from './check_grant'
import { PdfFound } from './response'
import { sandboxed } from './sandboxed'
import { closeTab, remember } from './open_tabs'
import { waitForPage, TabDied } from './wait_for_page'
import { ToolFailure, type ToolContext } from './call_context'

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
  const guard = new TabGuard(context, session)
  const { signal } = guard
  const container = session === 'clean' ? await newContainer() : null
  const endActing = await registerPretendVisible(url)
  let id: number | null = null
  try {
    signal.throwIfAborted()
    const tabId = (id = await openTab(url, container))
    await guard.follow(tabId, url)
    const { isForList = false } = context
    const tab: PageTab = { id: tabId, signal, isForList, checkedUrl: () => guard.checkedUrl(tabId) }
    context.doing('load')
    const needsSandbox = session === 'clean' && !container
    return await abortable(readWhenQuiet(tab, guard, context, needsSandbox ? sandboxed(read) : read), signal)
  } finally {
    context.doing('close')
    if (id !== null) await closeTab(id)
    guard.end() // last
    await endActing()
    if (container) await removeContainer(container)
  }
}

async function readWhenQuiet<T>(
  tab: PageTab,
  guard: TabGuard,
  context: ToolContext,
  read: (tab: PageTab) => Promise<T>,
): Promise<T> {
  tab.isChanging = await waitForPage(tab)
  guard.assertAnswered()
  await tab.checkedUrl()
  context.doing('read')
  const result = await read(tab)
  await tab.checkedUrl()
  tab.signal.throwIfAborted()
  return result
}

async function openTab(url: URL, container: string | null): Promise<number> {
  const where = container ? { cookieStoreId: container } : { windowId: await ordinaryWindow() }
  const tab = await browser.tabs.create({ url: TabGuard.firstAddress(url), active: false, ...where })
  if (tab.id === undefined) throw new ToolFailure('load_failed', 'The browser did not open a tab.')
  markOwnTab(tab.id)
  await remember({ id: tab.id, url: url.href })
  await hideAndMute(tab.id)
  return tab.id
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
