import { browser } from 'wxt/browser'
import { abortable } from '../abortable'
import { urlToTell } from '../grants/hosts'
import type { CurrentTab, GetCurrentTabArguments } from '../protocol.gen'
import { ToolFailure, type ToolContext } from '../page_tabs/call_context'
import { grantedInFront, notGranted } from './page_in_front'
import { tool } from './tool'

/**
 * Return the page in front, if the owner granted its site. The page itself is asked, because the tab's entry may be
 * stale. A site without a grant is not named, and private windows are ignored.
 */
export const getCurrentTab = tool(
  isNoArguments,
  async (_none: GetCurrentTabArguments, context: ToolContext): Promise<CurrentTab> => {
    const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true })
    if (tab?.id === undefined || tab.incognito) throw notGranted()
    grantedInFront(tab.url, context)
    const url = await addressIn(tab.id, context.signal).catch(() => {
      context.signal.throwIfAborted()
      return stillAt(tab)
    })
    return { url: urlToTell(grantedInFront(url, context)) }
  },
)

async function addressIn(tabId: number, signal: AbortSignal): Promise<string> {
  const running = browser.scripting.executeScript({ target: { tabId }, func: () => location.href })
  const [frame] = await abortable(running, signal)
  return String(frame?.result)
}

/** No script runs in a PDF: there the tab's entry counts, if it is the same twice. */
async function stillAt({ id, url }: { id?: number; url?: string }): Promise<string> {
  const now = id === undefined ? null : await browser.tabs.get(id).catch(() => null)
  if (!url || now?.url !== url)
    throw new ToolFailure('load_failed', 'The browser does not let Penny look at this kind of page.')
  return url
}

function isNoArguments(value: unknown): value is GetCurrentTabArguments {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
