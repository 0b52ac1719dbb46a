// The last gate before HTML is shown. The server has sanitised it; this holds even if it made a mistake.
import DOMPurify from 'dompurify'

const TAGS = 'a b blockquote br caption code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre s small span strong sub summary sup table tbody td tfoot th thead tr u ul'
const ATTRIBUTES = ['href', 'src', 'alt', 'width', 'height', 'colspan', 'rowspan', 'start', 'lang', 'dir']

/** What every link to another site says. */
export const OUTGOING = 'noopener noreferrer nofollow'

/** Links open in a tab of their own and name nobody; images come only from Penny's server. */
export function safeHtml(html: string, server: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS.split(' '),
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  })
  fragment.querySelectorAll('a').forEach((link) => openApart(link, server))
  fragment.querySelectorAll('img').forEach((image) => keepOwnImage(image, server))
  return fragment
}

/** Returns the address when it is one of the web. `javascript://x/` has a host too, so that a host says nothing. */
export function webAddress(address: string | null, server?: string): URL | null {
  if (address === null || !URL.canParse(address, server)) return null
  const url = new URL(address, server)
  return ['http:', 'https:'].includes(url.protocol) ? url : null
}

function openApart(link: HTMLAnchorElement, server: string): void {
  const url = webAddress(link.getAttribute('href'), server)
  if (!url) return link.removeAttribute('href')
  link.href = url.href
  link.target = '_blank'
  link.rel = OUTGOING
}

function keepOwnImage(image: HTMLImageElement, server: string): void {
  const own = imageFromServer(image.getAttribute('src'), server)
  if (!own) return image.remove()
  image.src = own
  image.loading = 'lazy'
}

/** Returns the address when the server itself has the image: any other host would learn that it was looked at. */
export function imageFromServer(address: string | null | undefined, server: string): string | null {
  if (!address || !URL.canParse(address, server)) return null
  const url = new URL(address, server)
  return url.origin === server ? url.href : null
}
