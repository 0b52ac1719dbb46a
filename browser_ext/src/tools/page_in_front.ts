import { webUrl } from '../grants/hosts'
import { ToolFailure, type ToolContext } from '../page_tabs/call_context'

/** Return the address of the page in front, if the owner granted its site. A site without a grant is not named. */
export function grantedInFront(text: string | undefined, { permits }: ToolContext): URL {
  const url = webUrl(text ?? '')
  if (url && permits(url)) return url
  throw text && !isOfASite(text) ? notOfASite() : notGranted()
}

export function notGranted(): ToolFailure {
  return new ToolFailure('not_granted', 'The page in front of you is not on a site that you allowed.')
}

function notOfASite(): ToolFailure {
  return new ToolFailure('bad_url', 'The page in front of you is one of the browser itself. Penny cannot look at it.')
}

function isOfASite(text: string): boolean {
  return /^https?:/i.test(text)
}
