// Where a link of a search engine leads. Engines wrap links in redirects of their own.
import { webUrl } from '../../grants/hosts'
import { absoluteUrl } from '../links'

/** Bing's form: `a1`, then the address in base64url. */
const ENCODED = /^a1([\w-]{8,3000})$/
/** Redirects of which only the engine knows where they lead. */
const OPAQUE = /^\/(?:l|y\.js|url|goto|ck|aclk|aclick)(?:\/|$)/
const COUNTRY_SUFFIX = /\.(com?|org?|net|gov|edu|ac|ne|gob|go)\.[a-z]{2}$/

export interface Lead {
  url: string
  /** On another host of the engine's own site, where its help and its other services are. */
  isOwnSite: boolean
}

/** Return the target of a link outside of the engine's own host, or null. */
export function leadsAway(href: string | null, base: string): Lead | null {
  const absolute = absoluteUrl(href, base)
  if (!absolute) return null
  const url = (isSameSite(absolute, base) && targetOfRedirect(absolute)) || absolute
  const isOwnSite = isSameSite(url, base)
  const { host, pathname } = new URL(url)
  return host === new URL(base).host || (isOwnSite && OPAQUE.test(pathname)) ? null : { url, isOwnSite }
}

function targetOfRedirect(link: string): string | null {
  const values: string[] = []
  new URL(link).searchParams.forEach((value) => values.push(value)) // Firefox's content scripts cannot iterate over it
  const target = values.map((value) => decodedUrl(value)).find((url) => url !== null)
  return target ? absoluteUrl(target.href, target.href) : null
}

function decodedUrl(value: string): URL | null {
  const encoded = ENCODED.exec(value)?.[1]
  const text = encoded === undefined ? value : textOfBase64(encoded)
  return /^https?:\/\//i.test(text) ? webUrl(text) : null
}

function textOfBase64(encoded: string): string {
  try {
    const bytes = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder().decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)))
  } catch {
    return ''
  }
}

/** The same host, or hosts that seem to share a registrable domain. Without a list of suffixes that is close enough. */
function isSameSite(a: string, b: string): boolean {
  const [first, second] = [new URL(a), new URL(b)]
  if (/^[\d.]+$|^\[/.test(first.hostname) || !first.hostname.includes('.')) return first.host === second.host
  return site(first.hostname) === site(second.hostname)
}

function site(host: string): string {
  return host
    .split('.')
    .slice(COUNTRY_SUFFIX.test(host) ? -3 : -2)
    .join('.')
}
