// Both checks of a grant: before a page is opened, and wherever the tab then is.
import { hostOf, refusalOf, webUrl, type Refusal } from '../grants/hosts'
import type { BrowseUrlArguments } from '../protocol.gen'
import { ToolFailure, type ToolContext } from './call_context'

type Session = BrowseUrlArguments['session']

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

/** The page is at a host that may be read without the owner's logins only, and has them. It is opened again without. */
export class CleanNeeded extends ToolFailure {
  constructor(readonly url: URL) {
    super('no_clean_session', `${hostOf(url)} may only be read without your logins.`)
  }
}

/** Throws CleanNeeded if the session has logins where they are not wanted. */
export function assertSession(text: string, session: Session, { isCleanOnly }: Pick<ToolContext, 'isCleanOnly'>): void {
  const url = webUrl(text)
  if (session === 'owner' && url && isCleanOnly(url)) throw new CleanNeeded(url)
}

/** Throws `redirect_not_granted` if the page is at a host without a grant. */
export function assertStillGranted(text: string, permits: ToolContext['permits']): void {
  const url = webUrl(text)
  if (!url) throw new ToolFailure('load_failed', 'The page led to an address that is not a web page.')
  if (!permits(url)) throw new ToolFailure('redirect_not_granted', hostOf(url))
}
