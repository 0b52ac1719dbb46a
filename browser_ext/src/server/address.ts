import { isLoopback, webUrl } from '../grants/hosts'
import { say } from '../say'

export class BadAddress extends Error {}

// Owners often paste the address of one of Penny's pages.
const PAGE = /\/(?:(?:setup(?:\/code)?|chat|programs|sign-in\/[^/]*)\/?)?\/*$/

/** Return the server's origin and path from a typed address. Throws BadAddress with a message for the owner. */
export function serverOrigin(address: string): string {
  const text = address.trim()
  const url = webUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : withScheme(text))
  if (!url) throw new BadAddress(say('bad_address'))
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new BadAddress(say('needs_https'))
  }
  return url.origin + url.pathname.replace(PAGE, '')
}

export function socketUrl(origin: string): string {
  return `${origin.replace(/^http/, 'ws')}/ws/device`
}

function withScheme(host: string): string {
  const url = webUrl(`http://${host}`)
  return url && isLoopback(url) ? url.href : `https://${host}`
}
