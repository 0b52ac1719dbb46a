// Which page can go with a message. The panel and the background use the same rules.
import { hostOf, isServer, webUrl } from '../grants/hosts'
import { say } from '../say'

export interface Tab {
  id?: number | undefined
  url?: string | undefined
  title?: string | undefined
  favIconUrl?: string | undefined
  active: boolean
  incognito: boolean
  hidden?: boolean | undefined
  lastAccessed?: number | undefined
}

/** Return the tab that the owner looks at. A panel in a tab of its own takes the tab that was used before it. */
export function frontTab(tabs: readonly Tab[], own: number | undefined): Tab | null {
  const others = tabs.filter((tab) => tab.id !== own && !tab.hidden)
  const active = others.find((tab) => tab.active)
  if (active || own === undefined) return active ?? null
  return others.toSorted((a, b) => (b.lastAccessed ?? 0) - (a.lastAccessed ?? 0))[0] ?? null
}

/** Return why a page cannot be included, in words for the owner, or null. Never call this for a private window. */
export function whyNot(url: string | undefined, server: string): string | null {
  const web = webUrl(url ?? '')
  if (!web) return say('share_browser_page')
  return isServer(web, server) ? say('share_own_page') : null
}

export function canInclude(url: string, server: string): boolean {
  return whyNot(url, server) === null
}

/** The host as the address bar shows it. */
export function siteOf(url: string | undefined): string {
  const web = webUrl(url ?? '')
  return web ? hostOf(web) : ''
}
