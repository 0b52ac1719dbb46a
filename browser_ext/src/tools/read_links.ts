import type { BrowseUrlArguments, Link, PageLinks } from '../protocol.gen'
import { assertStillGranted, grantedUrl } from './granted'
import { injected } from './injected'
import { isBrowseUrl } from './browse_url'
import { withPage } from './page_tab'
import { tool, type ToolContext } from './tool'

export interface LinksExtraction {
  url: string
  links: Link[]
}

/** Where the links lead that a reader of a granted page can see; its text stays where it is. */
export const readLinks = tool(isBrowseUrl, async ({ url, session }: BrowseUrlArguments, context: ToolContext): Promise<PageLinks> => {
  return withPage(grantedUrl(url, context), session, context, async (tab) => {
    const { url: found, links } = await injected<LinksExtraction>(tab, '/extract_links.js')
    assertStillGranted(found, context.permits)
    return { url: found, links }
  })
})
