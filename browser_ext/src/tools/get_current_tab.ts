import { browser } from 'wxt/browser'
import { abortable } from '../abortable'
import { urlToTell, webUrl } from '../grants/hosts'
import type { CurrentTab, GetCurrentTabArguments } from '../protocol.gen'
import { ToolFailure, type ToolContext } from '../page_tabs/call_context'
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
    assertGranted(tab.url, context)
    const url = await addressIn(tab.id, context.signal).catch(() => {
      context.signal.throwIfAborted()
      return stillAt(tab)
    })
    assertGranted(url, context)
    return { url: urlToTell(new URL(url)) }
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

function assertGranted(text: string | undefined, { permits }: ToolContext): void {
  const url = webUrl(text ?? '')
  if (!url || !permits(url)) throw notGranted()
}

function notGranted(): ToolFailure {
  return new ToolFailure('not_granted', 'The page in front of you is not on a site that you allowed.')
}

function isNoArguments(value: unknown): value is GetCurrentTabArguments {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
