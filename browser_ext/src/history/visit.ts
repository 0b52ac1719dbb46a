// What may be told of one visit: its site and its title, if it is of the public web and about nothing that is left out.
import { isServer, webUrl } from '../grants/hosts'
import type { Visit } from '../protocol.gen'
import { isSensitive } from './sensitive'

export interface SeenVisit {
  url: string
  title: string
  at: Date
}

/** Whose history it is: of the owner of this server, who left this out too. */
export interface Rules {
  server: string
  own: readonly string[]
}

/** The server refuses what is longer. */
const TITLE_CHARACTERS = 200
const DOMAIN = /^(?:[a-z0-9_-]{1,63}\.)+[a-z0-9-]{2,63}$/
/** Names that mean nothing outside of the owner's own network. */
const PRIVATE_ENDINGS = 'corp home internal intranet invalid lan local localdomain localhost onion private test'.split(' ')
/** Words that name a person or an account: an address of mail or of the web, with or without its scheme, and numbers of six digits or more. */
const TELLING = /@|:\/\/|\d{6,}|(?:\d[.-]?){9,}|\S\.\w[^\s/?#]*[/?#]/

/** Returns what may be told of a visit, or null. */
export function visitOf({ url, title, at }: SeenVisit, { server, own }: Rules): Visit | null {
  const domain = publicDomain(url, server)
  if (domain === null || isSensitive({ domain, path: pathOf(url), title }, own)) return null
  const shortTitle = bareTitle(title, domain)
  return shortTitle ? { domain, title: shortTitle, visited_at: at.toISOString() } : null
}

/** Returns the site of an address of the public web, or null. Penny's own pages are not. */
export function publicDomain(address: string, server: string): string | null {
  const url = webUrl(address)
  if (!url || isServer(url, server)) return null
  const host = url.hostname.replace(/\.$/, '')
  const ending = host.slice(host.lastIndexOf('.') + 1)
  const isPublic = DOMAIN.test(host) && !/^\d+$/.test(ending) && !PRIVATE_ENDINGS.includes(ending) && !host.endsWith('.home.arpa')
  return isPublic ? host.replace(/^www\.(?=[^.]+\.)/, '') : null
}

/** Returns a title without what names a person, an account or an address. A page without a title has its address for one: nothing is left. */
export function bareTitle(title: string, domain: string): string {
  const words = title.replace(/\p{Cc}/gu, ' ').split(/\s+/).filter((word) => word && !TELLING.test(word))
  const name = words.join(' ').slice(0, TITLE_CHARACTERS).trim()
  return name.toLowerCase() === domain || name.toLowerCase() === `www.${domain}` ? '' : name
}

/** In this browser alone: what the rest of the address says about what the page is about. */
function pathOf(address: string): string {
  const { pathname, search, hash } = new URL(address)
  const rest = `${pathname} ${search} ${hash}`
  try {
    return decodeURIComponent(rest.replaceAll('+', ' '))
  } catch {
    return rest
  }
}
