// What an address tells without its page: whether it is one of the public web, and its words.
const DOMAIN = /^(?:[a-z0-9_-]{1,63}\.)+[a-z0-9-]{2,63}$/
/** Names that exist only in private networks. */
const PRIVATE_ENDINGS = 'corp home internal intranet invalid lan local localdomain localhost onion private test'.split(
  ' ',
)

/** Whether a name is one of the public web: no address of a machine, and no name of a network of the owner's. */
export function isPublicHost(name: string): boolean {
  const host = name.replace(/\.$/, '')
  const ending = host.slice(host.lastIndexOf('.') + 1)
  return DOMAIN.test(host) && !/^\d+$/.test(ending) && !PRIVATE_ENDINGS.includes(ending) && !host.endsWith('.home.arpa')
}

/** Used only in this browser: the words of the path and query. */
export function pathOf(address: string): string {
  const { pathname, search, hash } = new URL(address)
  const rest = `${pathname} ${search} ${hash}`
  try {
    return decodeURIComponent(rest.replaceAll('+', ' '))
  } catch {
    return rest
  }
}
