import type { SearchExtraction } from '../extract/results/results'
import { urlToStore } from '../grants/hosts'
import type { SearchResults, SearchWebArguments } from '../protocol.gen'
import { assertStillGranted, grantedUrl } from '../page_tabs/check_grant'
import { runInPage } from '../page_tabs/run_in_page'
import { withPage, type PageTab } from '../page_tabs/page_tab'
import type { Verdict } from '../extract/results/page_verdict'
import { ToolFailure, type FailureCode, type ToolContext } from '../page_tabs/call_context'
import { hasTexts, isSession, tool } from './tool'

const PLACE = '{query}'

/** The failure that each page without results is. A page that says that there are none is none. */
const FAILURES: Record<Exclude<Verdict, 'none'>, [code: FailureCode, message: string]> = {
  consent: ['asks_consent', 'The search engine asks for consent first.'],
  human: ['asks_human', 'The search engine wants to see that a human asks.'],
  sign_in: ['needs_sign_in', 'The search engine asked for a sign-in.'],
  unreadable: ['unreadable_results', 'The page of the search engine has no results that Penny can read.'],
}

/**
 * Query the owner's search engine, whose host needs a grant like any other. Return the links that lead away from it.
 */
export const searchWeb = tool(
  isSearch,
  async (parameters: SearchWebArguments, context: ToolContext): Promise<SearchResults> => {
    const url = grantedUrl(searchAddress(parameters), context)
    try {
      return await withPage(url, parameters.session ?? 'owner', context, (tab) => readResults(tab, context))
    } catch (failure) {
      throw asksForConsent(failure, url) ? failureOf('consent') : failure
    }
  },
)

async function readResults(tab: PageTab, context: ToolContext): Promise<SearchResults> {
  const { url, results, verdict = 'none' } = await runInPage<SearchExtraction>(tab, '/extract_results.js')
  assertStillGranted(url, context.permits)
  if (verdict !== 'none') throw failureOf(verdict)
  return { url: urlToStore(new URL(url)), results }
}

function failureOf(verdict: Exclude<Verdict, 'none'>): ToolFailure {
  return new ToolFailure(...FAILURES[verdict])
}

/** Whether the engine led to the host of its own site that asks for consent: `consent.google.com`. */
function asksForConsent(failure: unknown, engine: URL): boolean {
  if (!(failure instanceof ToolFailure) || failure.code !== 'redirect_not_granted') return false
  const site = /^consent\.(.+\..+)$/.exec(failure.message)?.[1]
  return site !== undefined && `.${engine.hostname}`.endsWith(`.${site}`)
}

export function searchAddress({ query, template }: SearchWebArguments): string {
  if (!template.includes(PLACE)) throw new ToolFailure('bad_url', 'The search address has no place for the question.')
  return template.replaceAll(PLACE, () => encodeURIComponent(query))
}

export function isSearch(value: unknown): value is SearchWebArguments {
  return hasTexts(value, 'query', 'template') && (!('session' in value) || isSession(value.session))
}
