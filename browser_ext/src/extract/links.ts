import type { Link } from '../protocol.gen'
import { urlToTell, webUrl } from '../hosts'
import { oneLine } from './plain_text'

const MOST_LINKS = 500
const TEXT_CHARACTERS = 300
const URL_CHARACTERS = 2_000

/** The links of the content first, then the others of the page; each address once, absolute, http or https. */
export function linksOf(content: Element, seen: Document): Link[] {
  const anchors = [...content.querySelectorAll('a[href]'), ...seen.querySelectorAll('a[href]')]
  const links = new Map<string, Link>()
  for (const anchor of anchors) {
    const link = linkOf(anchor, seen.baseURI)
    if (link && !links.has(link.url)) links.set(link.url, link)
    if (links.size === MOST_LINKS) break
  }
  return [...links.values()]
}

function linkOf(anchor: Element, base: string): Link | null {
  const address = absoluteUrl(anchor.getAttribute('href'), base)
  const url = address && urlToTell(new URL(address))
  const text = oneLine(anchor.textContent ?? '').slice(0, TEXT_CHARACTERS)
  return url && text && url.length <= URL_CHARACTERS ? { text, url } : null
}

/** Without the fragment, in which a page could hide text. Null for anything but a web address. */
export function absoluteUrl(address: string | null, base: string): string | null {
  if (!address || !URL.canParse(address, base)) return null
  const url = webUrl(new URL(address, base).href)
  if (!url) return null
  url.hash = ''
  return url.href
}
