// What a control is called, and where it leads.
import { shorten } from './line'

const PATH_CHARACTERS = 60

/** Pages give a picture the words that stand beside it, and a name then has them twice. */
export function once(name: string): string {
  const half = name.slice(0, name.length >> 1)
  return half.includes(' ') && name === `${half} ${half}` ? half : name
}

/** A name that its page does not give. */
export function marked(name: string): string {
  return name ? `${name}?` : ''
}

export function pathOf({ href }: HTMLAnchorElement): string {
  if (!URL.canParse(href)) return ''
  const { host, pathname } = new URL(href)
  return host === location.host ? `→ ${shorten(pathname, PATH_CHARACTERS)}` : ''
}
