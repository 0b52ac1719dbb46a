// Listens to the browser's history, which records no private window. A visit counts only while a tab of the owner shows
// it.
import { browser, type Browser } from 'wxt/browser'
import { isOpenedByUs } from '../page_tabs/popups'
import { isOfIt } from './permission'
import type { SeenVisit } from './visit'

/** A shorter visit is not recorded. After this time the tab also has its title. */
export const DWELL_MS = 3_000

export interface VisitListener {
  isOn(): boolean
  take(visit: SeenVisit): Promise<void>
  /** The browser's permission was revoked. */
  onForbidden(): void
}

type Tab = Pick<Browser.tabs.Tab, 'id' | 'url' | 'title' | 'incognito'> & { hidden?: boolean }

/**
 * Call once when the background starts. Without the permission the event does not exist. Firefox reports a new
 * permission before the event exists, so the returned function attaches again, later.
 */
export function listenToVisits(listener: VisitListener): () => void {
  const onVisited = ({ url }: { url?: string }) => void takeVisit(listener, url)
  const attach = () => {
    if (browser.history && !browser.history.onVisited.hasListener(onVisited))
      browser.history.onVisited.addListener(onVisited)
  }
  attach()
  browser.permissions.onAdded.addListener(attach)
  browser.permissions.onRemoved.addListener((permissions) => {
    if (isOfIt(permissions) && listener.isOn()) listener.onForbidden()
  })
  return attach
}

/**
 * The event fires with the first bytes of a page, before a tab shows it. So the tab is looked up some seconds later.
 */
async function takeVisit(listener: VisitListener, url: string | undefined): Promise<void> {
  if (!url || !listener.isOn()) return
  const at = new Date()
  await new Promise((resolve) => setTimeout(resolve, DWELL_MS))
  if (!listener.isOn()) return
  const tab = (await browser.tabs.query({})).find((tab: Tab) => isShownIn(tab, url))
  if (tab) await listener.take({ url, title: tab.title ?? '', at })
}

/** Tabs that Penny opened and private tabs are not the owner's browsing. */
function isShownIn({ id, url, incognito, hidden }: Tab, address: string): boolean {
  return (
    !incognito && !hidden && id !== undefined && !isOpenedByUs(id) && withoutPart(url ?? '') === withoutPart(address)
  )
}

function withoutPart(url: string): string {
  return url.replace(/#.*$/, '')
}
