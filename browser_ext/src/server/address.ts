import { isLoopback, webUrl } from '../grants/hosts'
import { say } from '../say'

export class BadAddress extends Error {}

// What is pasted is often the address of one of her pages.
const PAGE = /\/(?:(?:setup|chat|programs|sign-in\/[^/]*)\/?)?\/*$/

/** Returns where the Penny server is that the owner typed: its origin, and the path that it may stand below. Throws BadAddress with words for the owner. */
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
