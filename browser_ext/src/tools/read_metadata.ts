import type { BrowseUrlArguments, Metadata, PageMetadata } from '../protocol.gen'
import { urlToStore, webUrl } from '../hosts'
import { assertStillGranted, grantedUrl } from './granted'
import { injected } from './injected'
import { isBrowseUrl } from './browse_url'
import { withPage } from './page_tab'
import { tool, type ToolContext } from './tool'

export interface MetadataExtraction {
  url: string
  metadata: Metadata
}

/** What a page of a granted host says about itself, in typed values; its text stays where it is. */
export const readMetadata = tool(isBrowseUrl, async ({ url, session }: BrowseUrlArguments, context: ToolContext): Promise<PageMetadata> => {
  return withPage(grantedUrl(url, context), session, context, async (tab) => {
    const { url: found, metadata } = await injected<MetadataExtraction>(tab, '/extract_metadata.js')
    assertStillGranted(found, context.permits)
    return { url: told(found), metadata }
  })
})

function told(found: string): string {
  const url = webUrl(found)
  return url ? urlToStore(url) : found
}
