// What is never kept by itself, as far as that is known before anything of the page is read. Each rule stands alone.
import { verdict } from '../../grants/grants'
import { hostOf, isServer, urlToStore, webUrl } from '../../grants/hosts'
import { isPublicHost, pathOf } from '../../private/public_address'
import { isPrivateTopic } from '../../private/topics'
import type { GrantInfo } from '../../protocol.gen'
import type { KeepMode } from '../../state/stored'
import { isCorrespondence } from '../private_sites'

/** What the browser said of the answer that the page came with. */
export interface PageResponse {
  status: number
  method: string
  type: string
  isNoStore: boolean
  /** The address of the machine that answered, where the browser knows it. */
  ip: string
}

/** A page in the top frame of a tab that the owner looks at. */
export interface SeenPage {
  url: string
  title: string
  isPrivate: boolean
  cookieStoreId: string | undefined
  isOpenedByUs: boolean
  response: PageResponse | null
}

export interface KeepRules {
  mode: KeepMode
  server: string
  grants: readonly GrantInfo[]
  now: number
}

interface Asked extends KeepRules {
  page: SeenPage
  url: URL
  /** The owner chose the site, and did not only leave it among all others. */
  isChosen: boolean
}

/** Firefox gives this cookie store to tabs outside of containers. */
const NO_CONTAINER = 'firefox-default'
/** A machine of the owner's network. The own machine is no sign: a proxy may run there. */
const LOCAL_IP = /^(?:10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\.|^f[cd]|^fe80/i
const WORDS = /^(?:text\/(?:html|plain)|application\/xhtml\+xml)\b/i
/** Sites that name what they are. */
const PRIVATE_LABEL =
  /^(?:web)?mail\d?$|^(?:e|online|net|i|my)?-?bank(?:ing)?\d?$|^(?:login|signin|sso|auth|accounts?|id|idp|secure|intranet|owa|vpn|chat)$/

export const BEFORE: Record<string, (asked: Asked) => boolean> = {
  off: ({ mode }) => mode === 'off',
  private_window: ({ page }) => page.isPrivate,
  container: ({ page }) => page.cookieStoreId !== undefined && !isDefaultStore(page.cookieStoreId),
  opened_by_us: ({ page }) => page.isOpenedByUs,
  own_page: ({ url, server }) => isServer(url, server),
  own_network: ({ url }) => !isPublicHost(url.hostname),
  own_network_machine: ({ page, isChosen }) => !isChosen && LOCAL_IP.test(page.response?.ip ?? ''),
  no_answer: ({ page }) => page.response === null,
  status: ({ page }) => page.response !== null && page.response.status !== 200,
  method: ({ page }) => page.response !== null && page.response.method !== 'GET',
  no_words: ({ page }) => page.response !== null && !WORDS.test(page.response.type),
  left_out: ({ url, ...rules }) => verdict(url, { ...rules, capability: 'keep' }) === 'blocked',
  not_chosen: ({ mode, isChosen }) => mode === 'sites' && !isChosen,
  correspondence: ({ url }) => isCorrespondence(hostOf(url)),
  private_name: ({ url }) =>
    url.hostname
      .split('.')
      .slice(0, -2)
      .some((label) => PRIVATE_LABEL.test(label)),
  topic: ({ url, page, isChosen }) =>
    !isChosen && isPrivateTopic(url.hostname.replace(/^www\./, ''), pathOf(page.url), page.title),
  no_store: ({ page, isChosen }) => !isChosen && page.response !== null && page.response.isNoStore,
  secret_address: ({ url, isChosen }) => !isChosen && urlToStore(url) !== withoutPart(url),
}

/** Return the name of the rule that keeps a page from being read, or null. */
export function whyNotRead(page: SeenPage, rules: KeepRules, table = BEFORE): string | null {
  const url = webUrl(page.url)
  if (!url) return 'no_page'
  const isChosen = verdict(url, { ...rules, capability: 'keep' }) === 'allowed'
  const question = { ...rules, page, url, isChosen }
  return Object.entries(table).find(([, refuses]) => refuses(question))?.[0] ?? null
}

function isDefaultStore(store: string): boolean {
  return store === NO_CONTAINER || store === '0'
}

function withoutPart(url: URL): string {
  const copy = new URL(url.href)
  copy.hash = ''
  return copy.href.endsWith('?') ? copy.href.slice(0, -1) : copy.href
}
