// The tab of an errand: the one in front of the owner, or one of its own. What the owner opened is never closed.
import { browser } from 'wxt/browser'
import { newContainer } from '../../page_tabs/clean_session'
import { ToolFailure, type ToolContext } from '../../page_tabs/call_context'
import { isOpenedByUs, markOwnTab } from '../../page_tabs/popups'
import { EMPTY_MS } from '../../page_tabs/guarded_tab'
import { ordinaryWindow } from '../../page_tabs/page_tab'
import { waitForComplete } from '../../page_tabs/wait_for_page'
import { refusalOf, urlToTell } from '../../grants/hosts'
import type { ManageTabArguments, TabState } from '../../protocol.gen'
import { stored, type ErrandTab } from '../../state/stored'
import { hasTexts, isSession, tool } from '../tool'
import { EMPTY } from '../../page_tabs/open_tabs'
import { fenceIn } from '../../page_tabs/rules/fence'
import { addTab, presenceOf, removeTab, siteUrl } from './errand_tabs'
import { load, loadAgain } from './settle'
import { forgetLines } from './snapshot'

const TITLE_CHARACTERS = 500

export const manageTab = tool(isManageTab, async (call: ManageTabArguments, context): Promise<TabState> => {
  if (call.do === 'adopt') return adopt(call, context)
  return call.do === 'open' ? open(call, context) : release(call)
})

async function adopt({ errand, host }: ManageTabArguments, context: ToolContext): Promise<TabState> {
  const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true })
  if (tab?.id === undefined || tab.incognito || isOpenedByUs(tab.id))
    throw new ToolFailure('no_tab', 'There is no tab in front that Penny may act in.')
  siteUrl(tab.url ?? '', host, context)
  return stateOf(await register(errand, host, tab.id, false), context)
}

async function open({ errand, host, url: text, session }: ManageTabArguments, context: ToolContext): Promise<TabState> {
  if (refusalOf(text ?? '') !== null) throw new ToolFailure('bad_url', 'That is no web address.')
  const url = siteUrl(text ?? '', host, context)
  const container = session === 'clean' ? await newContainer() : null
  if (session === 'clean' && !container)
    throw new ToolFailure('no_clean_session', 'This browser cannot act on a page without your logins.')
  const where = container ? { cookieStoreId: container } : { windowId: await ordinaryWindow() }
  const { id } = await browser.tabs.create({ url: EMPTY, active: false, ...where })
  if (id === undefined) throw new ToolFailure('load_failed', 'The browser did not open a tab.')
  markOwnTab(id)
  const tab = await register(errand, host, id, true)
  try {
    const empty = waitForComplete({ id, signal: context.signal }, () => true, EMPTY_MS)
    await Promise.all([fenceIn(tab, 'act'), empty]) // if it arrived late, it would replace our page
    await loadAgain(() => load({ tabId: id, frameId: 0, signal: context.signal }, url.href, tab.next))
    await fenceIn(tab, 'between')
    return await stateOf(tab, context)
  } catch (failure) {
    await release({ errand })
    throw failure
  }
}

/** Only a tab that was opened for the errand is closed. */
async function release({ errand }: Pick<ManageTabArguments, 'errand'>): Promise<TabState> {
  const tab = (await stored.errandTabs.getValue()).find((one) => one.errand === errand)
  if (!tab) throw new ToolFailure('no_tab', 'The tab was given back before.')
  const { url = '', title = '' } = (await browser.tabs.get(tab.id).catch(() => null)) ?? {}
  await removeTab(tab.name)
  forgetLines(tab.name)
  if (tab.isOwn) await browser.tabs.remove(tab.id).catch(() => undefined) // closed before
  return { tab: tab.name, url, title: title.slice(0, TITLE_CHARACTERS), is_own: tab.isOwn }
}

async function register(errand: string, site: string, id: number, isOwn: boolean): Promise<ErrandTab> {
  const others = (await stored.errandTabs.getValue()).filter((one) => one.id === id || one.errand === errand)
  const same = others.find((one) => one.id === id && one.errand === errand && one.site === site)
  if (same) return same
  // a tab of an errand that died goes to the next one, and its numbers go on
  const next = Math.max(1, ...others.map((one) => one.next))
  const tab = { name: crypto.randomUUID(), errand, site, id, isOwn, isTheirs: false, version: 0, next, ranges: [] }
  await addTab(tab)
  await fenceIn(tab, 'between')
  return tab
}

async function stateOf(tab: ErrandTab, context: ToolContext): Promise<TabState> {
  const { url, title } = await presenceOf(tab, context)
  return { tab: tab.name, url: urlToTell(url), title: title.slice(0, TITLE_CHARACTERS), is_own: tab.isOwn }
}

function isManageTab(value: unknown): value is ManageTabArguments {
  if (!hasTexts(value, 'errand', 'do', 'host')) return false
  const { do: what, session } = value as unknown as ManageTabArguments
  return ['adopt', 'open', 'release'].includes(what) && (session === undefined || isSession(session))
}
