import { urlToStore } from '../grants/hosts'
import type { SearchWebArguments, Videos } from '../protocol.gen'
import { assertStillGranted, grantedUrl } from '../page_tabs/check_grant'
import { injected } from '../page_tabs/run_in_page'
import { withPage } from '../page_tabs/page_tab'
import { isSearch, searchAddress } from './search_web'
import type { ToolContext } from '../page_tabs/call_context'
import { tool } from './tool'

/** Asks a site for videos, whose host needs a grant like any other, and returns what its list says of them. */
export const searchYoutube = tool(isSearch, async (given: SearchWebArguments, context: ToolContext): Promise<Videos> => {
  const url = grantedUrl(searchAddress(given), context)
  return withPage(url, 'owner', context, async (tab) => {
    const { url: found, videos } = await injected<Videos>(tab, '/extract_videos.js')
    assertStillGranted(found, context.permits)
    return { url: urlToStore(new URL(found)), videos }
  })
})
