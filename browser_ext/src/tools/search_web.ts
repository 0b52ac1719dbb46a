import type { SearchExtraction } from '../extract/results/results'
import { urlToStore } from '../grants/hosts'
import type { SearchResults, SearchWebArguments } from '../protocol.gen'
import { assertStillGranted, grantedUrl } from '../page_tabs/check_grant'
import { runInPage } from '../page_tabs/run_in_page'
import { withPage } from '../page_tabs/page_tab'
import { ToolFailure, type ToolContext } from '../page_tabs/call_context'
import { hasTexts, isSession, tool } from './tool'

const PLACE = '{query}'

/**
 * Query the owner's search engine, whose host needs a grant like any other. Return the links that lead away from it.
 */
export const searchWeb = tool(
  isSearch,
  async (parameters: SearchWebArguments, context: ToolContext): Promise<SearchResults> => {
    const url = grantedUrl(searchAddress(parameters), context)
    return withPage(url, parameters.session ?? 'owner', context, async (tab) => {
      const { url: address, results } = await runInPage<SearchExtraction>(tab, '/extract_results.js')
      assertStillGranted(address, context.permits)
      return { url: urlToStore(new URL(address)), results }
    })
  },
)

export function searchAddress({ query, template }: SearchWebArguments): string {
  if (!template.includes(PLACE)) throw new ToolFailure('bad_url', 'The search address has no place for the question.')
  return template.replaceAll(PLACE, () => encodeURIComponent(query))
}

export function isSearch(value: unknown): value is SearchWebArguments {
  return hasTexts(value, 'query', 'template') && (!('session' in value) || isSession(value.session))
}
