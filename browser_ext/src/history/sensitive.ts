// What is never reported of the history, whatever the owner switched on: health, money, sex, and the owner's own
// list.
import { isPrivateTopic } from '../private/topics'

/** The whole address is checked, although no path is ever reported. */
export interface Visited {
  domain: string
  path: string
  title: string
}

/** Whether a visit is about something that is never reported. `own`: words and sites of the owner's list. */
export function isSensitive({ domain, path, title }: Visited, own: readonly string[]): boolean {
  const text = fold(`${domain} ${path} ${title}`)
  return isPrivateTopic(domain, path, title) || own.some((entry) => isOwn(entry, domain, text))
}

/** Parse the owner's list: one or several entries a line, normalised, without duplicates. */
export function entriesOf(list: string): string[] {
  const entries = list.split(/[\n,;]/).map((entry) => entryOf(entry.trim()))
  return [...new Set(entries.filter((entry) => entry !== ''))]
}

/** An address stands for its site. */
function entryOf(entry: string): string {
  const isSite = /^\S+\.\S+$/.test(entry)
  if (!isSite) return fold(entry)
  const address = entry.includes('://') ? entry : `http://${entry}`
  return URL.canParse(address) ? new URL(address).hostname.replace(/^www\.|\.$/g, '') : fold(entry)
}

function isOwn(entry: string, domain: string, text: string): boolean {
  return text.includes(entry) || (entry.includes('.') && isBelow(domain, entry))
}

function isBelow(domain: string, site: string): boolean {
  return domain === site || domain.endsWith(`.${site}`)
}

/** Remove case and accents. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/\s+/g, ' ')
    .trim()
}
