// The last sanitiser before HTML is shown. The server sanitises too; this one holds if the server made a mistake.
import DOMPurify from 'dompurify'

const TAGS =
  'a b blockquote br caption code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre s small span strong sub summary sup table tbody td tfoot th thead tr u ul'
const ATTRIBUTES = ['href', 'colspan', 'rowspan', 'start', 'lang', 'dir']

/** `rel` of every link to another site. */
export const OUTGOING = 'noopener noreferrer nofollow'

/**
 * Links to other sites open in a tab of their own, without referrer. Images are removed: those of messages come over
 * the socket.
 */
export function safeHtml(html: string, server: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS.split(' '),
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  })
  fragment.querySelectorAll('a').forEach((link) => openApart(link, server))
  return fragment
}

/** Return the address if it is http or https. A host proves nothing: `javascript://x/` has one too. */
export function webAddress(address: string | null, server?: string): URL | null {
  if (address === null || !URL.canParse(address, server)) return null
  const url = new URL(address, server)
  return ['http:', 'https:'].includes(url.protocol) ? url : null
}

function openApart(link: HTMLAnchorElement, server: string): void {
  const url = webAddress(link.getAttribute('href'), server)
  if (!url) return link.removeAttribute('href')
  link.href = url.href
  if (url.origin === location.origin) return // a page of the site that shows the conversation
  link.target = '_blank'
  link.rel = OUTGOING
}
