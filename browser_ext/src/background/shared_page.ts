// The page of the tab in front, for a message.
import type { ToolContext } from '../page_tabs/call_context'
import { pageInTab, READ_MS } from '../page_tabs/page_of_tab'
import { extractInPage } from '../page_tabs/run_in_page'
import type { Page } from '../protocol.gen'
import { withPicture } from '../tools/picture'

/**
 * Throw ToolFailure, whose message is for the owner. Sharing is an act of the owner: it needs no grant and leaves none.
 * The picture that the page names may be on any host, so it needs a granted one.
 */
export async function sharedPage(tabId: number, server: string, permits: ToolContext['permits']): Promise<Page> {
  const endsAt = Date.now() + READ_MS
  const { page } = await pageInTab(tabId, server, extractInPage)
  return await withPicture(page, { permits, endsAt, signal: AbortSignal.timeout(READ_MS) })
}
