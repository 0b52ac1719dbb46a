import type { BrowseUrlArguments, Link, PageLinks } from '../protocol.gen'
import { assertStillGranted, grantedUrl } from '../page_tabs/check_grant'
import { runInPage } from '../page_tabs/run_in_page'
import { isBrowseUrl } from './browse_url'
import { withPage } from '../page_tabs/page_tab'
import type { ToolContext } from '../page_tabs/call_context'
import { tool } from './tool'

export interface LinksExtraction {
  url: string
  links: Link[]
}

/** Return the visible links of a granted page, without its text. */
export const readLinks = tool(
  isBrowseUrl,
  async ({ url, session }: BrowseUrlArguments, context: ToolContext): Promise<PageLinks> => {
    return withPage(grantedUrl(url, context), session, { ...context, isForList: true }, async (tab) => {
      const { url: address, links } = await runInPage<LinksExtraction>(tab, '/extract_links.js')
      assertStillGranted(address, context.permits)
      return { url: address, links }
    })
  },
)
