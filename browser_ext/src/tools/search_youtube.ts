import { urlToStore } from '../grants/hosts'
import type { SearchWebArguments, Videos } from '../protocol.gen'
import { assertStillGranted, grantedUrl } from '../page_tabs/check_grant'
import { runInPage } from '../page_tabs/run_in_page'
import { withPage } from '../page_tabs/page_tab'
import { isSearch, searchAddress } from './search_web'
import type { ToolContext } from '../page_tabs/call_context'
import { tool } from './tool'

/** Query a video site, whose host needs a grant like any other. Return the videos of its list. */
export const searchYoutube = tool(
  isSearch,
  async (parameters: SearchWebArguments, context: ToolContext): Promise<Videos> => {
    const url = grantedUrl(searchAddress(parameters), context)
    return withPage(url, parameters.session ?? 'owner', context, async (tab) => {
      const { url: address, videos } = await runInPage<Videos>(tab, '/extract_videos.js')
      assertStillGranted(address, context.permits)
      return { url: urlToStore(new URL(address)), videos }
    })
  },
)
