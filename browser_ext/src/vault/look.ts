// Whether a page is kept already. Only the checksum of its address is asked for: the server learns no address.
import { urlToStore, webUrl } from '../grants/hosts'

/** The key under which the server keeps a page, or null where none can be kept. */
export async function keyOf(address: string): Promise<string | null> {
  const url = webUrl(address)
  if (!url) return null
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(urlToStore(url)))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
