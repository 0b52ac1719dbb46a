// Which host a URL counts for. The server has the same rules in Python (devices/web/hosts.py);
// tests/devices/web/hosts_table.json tests both.
import { looksKnown, looksSecret, withoutSecrets, withoutSecretSegments } from './url_secrets'

/** Why no page may be opened at an address, whatever was granted. */
export type Refusal = 'no_address' | 'scheme' | 'userinfo' | 'bad_host'

const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' }
/** The limit of DNS. */
const HOST_CHARACTERS = 253
const LABEL = /^[a-z0-9_-]{1,63}$/

/** Return the URL if a page may be opened there: http or https, without user name or password. */
export function webUrl(text: string): URL | null {
  return refusalOf(text) === null ? new URL(text) : null
}

export function isWebUrl(url: URL): boolean {
  return refusalOfUrl(url) === null
}

/** Return why no page may be opened there, or null. */
export function refusalOf(text: string): Refusal | null {
  return text.isWellFormed() && URL.canParse(text) ? refusalOfUrl(new URL(text)) : 'no_address'
}

function refusalOfUrl(url: URL): Refusal | null {
  if (!Object.hasOwn(DEFAULT_PORTS, url.protocol)) return 'scheme'
  if (url.username || url.password) return 'userinfo'
  return isHost(bareHost(url)) ? null : 'bad_host'
}

/** The host of a grant: punycode without trailing dot, with the port for an IP literal or localhost. */
export function hostOf(url: URL): string {
  const host = bareHost(url)
  return isExact(host) ? `${host}:${portOf(url)}` : host
}

/** IP literals and localhost have no subdomains, and differ by port. */
export function isExact(host: string): boolean {
  const name = host.replace(/:\d+$/, '')
  return (
    name === 'localhost' || name.endsWith('.localhost') || name.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(name)
  )
}

export function isLoopback(url: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(bareHost(url))
}

/** Whether the URL is Penny's own server, under any of its names. It can never be granted. */
export function isServer(url: URL, server: string): boolean {
  return machineAndPort(hostOf(url)) === machineAndPort(hostOf(new URL(server)))
}

/** A web address for storing: without fragment, and without what looks like a secret. */
export function urlToStore(url: URL): string {
  return without(url, looksSecret)
}

/**
 * A web address for the server, which may open it later. Left out are the fragment, in which a page could hide text,
 * and parameters that are named as a secret or have its form.
 */
export function urlToTell(url: URL): string {
  return without(url, looksKnown)
}

function without(url: URL, look: (text: string) => boolean): string {
  const copy = new URL(url.href) // setting a part of it makes the browser parse the whole address again
  if (copy.hash || copy.href.endsWith('#')) copy.hash = ''
  const path = withoutSecretSegments(copy.pathname, look)
  if (path !== copy.pathname) copy.pathname = path
  const query = copy.search.replace(/^\?/, '')
  const open = withoutSecrets(query, look)
  if (open !== query || copy.href.endsWith('?')) copy.search = open
  return copy.href
}

/** One text for all names of this machine, on one port. */
function machineAndPort(host: string): string {
  const [, name, port] = /^(.*):(\d+)$/.exec(host) ?? []
  if (name === undefined || port === undefined) return host
  const address = ipv4Of(name)
  const isHere = address.endsWith('localhost') || /^127\.|^0\.0\.0\.0$|^\[::1?\]$/.test(address)
  return `${isHere ? 'localhost' : address}:${port}`
}

/** An IPv4 address that is written as IPv6 becomes IPv4. */
function ipv4Of(name: string): string {
  const [, high, low] = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(name) ?? []
  if (high === undefined || low === undefined) return name
  const halves = [parseInt(high, 16), parseInt(low, 16)]
  return halves.flatMap((half) => [half >> 8, half & 255]).join('.')
}

function isHost(host: string): boolean {
  if (host.startsWith('[')) return true
  return host.length <= HOST_CHARACTERS && host.split('.').every((label) => LABEL.test(label))
}

function portOf(url: URL): string {
  return url.port || DEFAULT_PORTS[url.protocol] || ''
}

function bareHost(url: URL): string {
  return url.hostname.replace(/\.$/, '')
}
