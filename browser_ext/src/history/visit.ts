// What may be reported of one visit: site and title, if the site is public and the visit is not sensitive.
import { isServer, webUrl } from '../grants/hosts'
import type { Visit } from '../protocol.gen'
import { isPublicHost, pathOf } from '../private/public_address'
import { secretsIn } from '../private/secrets'
import { blank } from '../private/words'
import { isSensitive } from './sensitive'

export interface SeenVisit {
  url: string
  title: string
  at: Date
}

/** The owner's server and list. */
export interface Rules {
  server: string
  own: readonly string[]
}

/** The limit of the server. */
const TITLE_CHARACTERS = 200
/** Words that identify a person or an account: mail and web addresses, and numbers of six digits or more. */
const TELLING = /@|:\/\/|\d{6,}|(?:\d[.-]?){9,}|\S\.\w[^\s/?#]*[/?#]/

/** Return what may be reported of a visit, or null. */
export function visitOf({ url, title, at }: SeenVisit, { server, own }: Rules): Visit | null {
  const domain = publicDomain(url, server)
  if (domain === null || isSensitive({ domain, path: pathOf(url), title }, own)) return null
  const shortTitle = bareTitle(title, domain)
  return shortTitle ? { domain, title: shortTitle, visited_at: at.toISOString() } : null
}

/** Return the site of a public web address, or null. Penny's own pages are not public. */
export function publicDomain(address: string, server: string): string | null {
  const url = webUrl(address)
  if (!url || isServer(url, server)) return null
  const host = url.hostname.replace(/\.$/, '')
  return isPublicHost(host) ? host.replace(/^www\.(?=[^.]+\.)/, '') : null
}

/**
 * Remove from a title what identifies a person, an account or an address. Browsers title a page without a title by its
 * address: then nothing is left.
 */
export function bareTitle(title: string, domain: string): string {
  const words = withoutSecrets(title)
    .replace(/\p{Cc}/gu, ' ')
    .split(/\s+/)
    .filter((word) => word && !TELLING.test(word))
  const name = words.join(' ').slice(0, TITLE_CHARACTERS).trim()
  return name.toLowerCase() === domain || name.toLowerCase() === `www.${domain}` ? '' : name
}

function withoutSecrets(title: string): string {
  return blank(title, secretsIn(title))
}
