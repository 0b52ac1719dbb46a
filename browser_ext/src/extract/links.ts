import type { Link } from '../protocol.gen'
import { isWebUrl, urlToTell } from '../grants/hosts'
import { oneLine } from './plain_text'

const MOST_LINKS = 500
const TEXT_CHARACTERS = 300
const URL_CHARACTERS = 2_000
/** Text, links and metadata together stay far below the limit of a frame, in any script. */
const LINK_BYTES = 160 * 1024

/** The links of a page, and their numbers in its text. */
export interface NumberedLinks {
  links: Link[]
  /** From 1. Null for an anchor that is no link of the page. */
  numberOf: (anchor: Element) => number | null
}

/** The links of the content first, then the others of the page. Each address once, absolute, http or https. */
export function linksOf(content: Element, visible: Document): NumberedLinks {
  const anchors = [...content.querySelectorAll('a[href]'), ...visible.querySelectorAll('a[href]')]
  const links = new Map<string, Link>()
  // as written, because parsing an address is slow, and the links of the content appear again among the page's
  const addresses = new Map<string, string>()
  const base = visible.baseURI
  for (const anchor of anchors) {
    const href = anchor.getAttribute('href') ?? ''
    const link = addresses.has(href) ? null : linkOf(anchor, href, base)
    if (!link) continue
    addresses.set(href, link.url)
    if (!links.has(link.url)) links.set(link.url, link)
    if (links.size === MOST_LINKS) break
  }
  const all = fitting([...links.values()])
  const numbers = new Map(all.map(({ url }, index) => [url, index + 1]))
  return {
    links: all,
    numberOf: (anchor) => numbers.get(addresses.get(anchor.getAttribute('href') ?? '') ?? '') ?? null,
  }
}

/** As many links, from the first on, as fit in a frame beside text and metadata. */
function fitting(links: readonly Link[]): Link[] {
  let bytes = 0
  return links.filter((link) => {
    bytes += JSON.stringify(link).length * 2
    return bytes <= LINK_BYTES
  })
}

function linkOf(anchor: Element, href: string, base: string): Link | null {
  const text = (oneLine(anchor.textContent ?? '') || alternativeIn(anchor)).slice(0, TEXT_CHARACTERS)
  const address = text && href && !href.startsWith('#') ? webAddress(href, base) : null
  const url = address && urlToTell(address)
  return url && url.length <= URL_CHARACTERS ? { text, url } : null
}

function alternativeIn(anchor: Element): string {
  return oneLine(anchor.querySelector('img[alt]')?.getAttribute('alt') ?? '')
}

/** Without the fragment, in which a page could hide text. Null for anything but a web address. */
export function absoluteUrl(address: string | null, base: string): string | null {
  return (address && webAddress(address, base)?.href) || null
}

function webAddress(address: string, base: string): URL | null {
  if (!URL.canParse(address, base)) return null
  const url = new URL(address, base)
  if (!isWebUrl(url)) return null
  if (url.href.includes('#')) url.hash = ''
  return url
}
