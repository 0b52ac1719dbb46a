// What opening an address does, by its host and by the words of its last segments and of its query.
import { hostOf, isWebUrl } from '../../grants/hosts'
import type { Kind } from './kinds'

/** Longer ones are no addresses that a person was meant to open: nothing is said about them. */
const ADDRESS_CHARACTERS = 20_000
const SEGMENTS = 2
/** A segment of more words is the title of a text: how-to-delete-your-account. */
const SEGMENT_WORDS = 3
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g
const KEYS_OF_ACTIONS = /^(?:action|do|op|cmd|command|mode|task|method|act|a)$/i
const FILE = /\.(?:zip|tar|gz|tgz|7z|rar|exe|msi|dmg|pkg|deb|rpm|apk|iso|docx?|xlsx?|pptx?|csv|epub|mp3|mp4|ics)$/i

const WORDS: Partial<Record<string, Kind>> = {
  delete: 'delete',
  remove: 'delete',
  destroy: 'delete',
  trash: 'delete',
  cancel: 'delete',
  unsubscribe: 'account',
  optout: 'account',
  deactivate: 'account',
  logout: 'account',
  signout: 'account',
  logoff: 'account',
  confirm: 'confirm',
  approve: 'grant',
  authorize: 'grant',
  authorise: 'grant',
  accept: 'grant',
  grant: 'grant',
  pay: 'buy',
  purchase: 'buy',
}
const PAIRS: Partial<Record<string, Kind>> = { 'opt out': 'account', 'log out': 'account', 'sign out': 'account' }

/** Return what opening it does. Null: it is too long to say. */
export function kindsOfAddress(address: URL, site: string): Set<Kind> | null {
  if (address.href.length > ADDRESS_CHARACTERS) return null
  const kinds = new Set<Kind>()
  if (!isWebUrl(address) || !isOnSite(address, site)) kinds.add('leave')
  if (FILE.test(address.pathname)) kinds.add('download')
  for (const words of wordGroupsIn(address)) for (const kind of kindsOfWords(words)) kinds.add(kind)
  return kinds
}

function isOnSite(address: URL, site: string): boolean {
  if (!isWebUrl(address)) return false
  const host = hostOf(address)
  return host === site || host.endsWith(`.${site}`)
}

function wordGroupsIn({ pathname, searchParams }: URL): string[][] {
  const segments = pathname
    .split('/')
    .filter((segment) => segment !== '')
    .slice(-SEGMENTS)
    .map((segment) => split(segment))
    .filter((words) => words.length <= SEGMENT_WORDS)
  const parameters: string[][] = []
  // Firefox's content scripts cannot iterate over it.
  searchParams.forEach((value, key) => {
    parameters.push(split(key), KEYS_OF_ACTIONS.test(key) ? split(value) : [])
  })
  return [...segments, ...parameters]
}

function split(text: string): string[] {
  return (text.match(WORD) ?? []).map((word) => word.toLowerCase())
}

function kindsOfWords(words: readonly string[]): Kind[] {
  const kinds = words.map((word) => WORDS[word])
  const pairs = words.slice(1).map((word, at) => PAIRS[`${words[at] ?? ''} ${word}`])
  return [...kinds, ...pairs].filter((kind) => kind !== undefined)
}
