import { isLoopback, webUrl } from './hosts'

export class BadAddress extends Error {}

/** Returns the origin of the Penny server that the owner typed. Throws BadAddress with words for the owner. */
export function serverOrigin(typed: string): string {
  const text = typed.trim()
  const url = webUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : withScheme(text))
  if (!url) throw new BadAddress('This is not an address I can use. It looks like http://127.0.0.1:8787.')
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new BadAddress('Another machine must be reached over https, so that nobody on the way can listen.')
  }
  return url.origin
}

export function socketUrl(origin: string): string {
  return `${origin.replace(/^http/, 'ws')}/ws/device`
}

function withScheme(host: string): string {
  const url = webUrl(`http://${host}`)
  return url && isLoopback(url) ? url.href : `https://${host}`
}
