// Which host a URL counts for. The server has the same rules in Python; both must agree on every URL.

const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' }

/** Returns the URL when a page may be opened there at all: http or https, without a user name or password. */
export function webUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !(url.protocol in DEFAULT_PORTS) || url.username || url.password) return null
  return bareHost(url) ? url : null
}

/** The host that a grant names: punycode without a trailing dot; with its port where it is an IP literal or localhost. */
export function hostOf(url: URL): string {
  const host = bareHost(url)
  return isExact(host) ? `${host}:${portOf(url)}` : host
}

/** IP literals and localhost have no subdomains and differ by port. */
export function isExact(host: string): boolean {
  const name = host.replace(/:\d+$/, '')
  return name === 'localhost' || name.endsWith('.localhost') || name.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(name)
}

export function isLoopback(url: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(bareHost(url))
}

/** Penny's own server, under any of its names: it can never be granted. */
export function isServer(url: URL, server: string): boolean {
  const own = new URL(server)
  if (url.origin === own.origin) return true
  return isLoopback(url) && isLoopback(own) && portOf(url) === portOf(own)
}

function portOf(url: URL): string {
  return url.port || DEFAULT_PORTS[url.protocol] || ''
}

function bareHost(url: URL): string {
  return url.hostname.replace(/\.+$/, '')
}
