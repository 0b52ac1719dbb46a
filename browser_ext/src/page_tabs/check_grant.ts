// Both checks of a grant: before a page is opened, and wherever the tab then is.
import { hostOf, refusalOf, webUrl, type Refusal } from '../grants/hosts'
import { ToolFailure, type ToolContext } from './call_context'

const WORDS: Record<Refusal, string> = {
  no_address: 'That is not a web address.',
  scheme: 'Penny opens only http and https addresses.',
  userinfo: 'Penny opens no address that carries a user name or password.',
  bad_host: 'That address has no host that can exist.',
}

/** Return the URL to open. Throws `bad_url` or `not_granted`. */
export function grantedUrl(text: string, context: Pick<ToolContext, 'permits'>): URL {
  const refusal = refusalOf(text)
  if (refusal) throw new ToolFailure('bad_url', WORDS[refusal])
  const url = new URL(text)
  if (!context.permits(url)) throw new ToolFailure('not_granted', `You have not allowed ${hostOf(url)}.`)
  return url
}

/** Throws `redirect_not_granted` if the page is at a host without a grant. */
export function assertStillGranted(text: string, permits: ToolContext['permits']): void {
  const url = webUrl(text)
  if (!url) throw new ToolFailure('load_failed', 'The page led to an address that is not a web page.')
  if (!permits(url)) throw new ToolFailure('redirect_not_granted', hostOf(url))
}
