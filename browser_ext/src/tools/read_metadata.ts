import type { BrowseUrlArguments, Metadata, PageMetadata } from '../protocol.gen'
import { urlToStore, webUrl } from '../grants/hosts'
import { assertStillGranted, grantedUrl } from '../page_tabs/check_grant'
import { runInPage } from '../page_tabs/run_in_page'
import { isBrowseUrl } from './browse_url'
import { withPage } from '../page_tabs/page_tab'
import type { ToolContext } from '../page_tabs/call_context'
import { tool } from './tool'

export interface MetadataExtraction {
  url: string
  metadata: Metadata
}

/** Return the metadata of a granted page as typed values, without its text. */
export const readMetadata = tool(
  isBrowseUrl,
  async ({ url, session }: BrowseUrlArguments, context: ToolContext): Promise<PageMetadata> => {
    return withPage(grantedUrl(url, context), session, context, async (tab) => {
      const { url: address, metadata } = await runInPage<MetadataExtraction>(tab, '/extract_metadata.js')
      assertStillGranted(address, context.permits)
      return { url: urlOfPage(address), metadata }
    })
  },
)

function urlOfPage(address: string): string {
  const url = webUrl(address)
  return url ? urlToStore(url) : address
}
