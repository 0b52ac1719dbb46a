// Hearing of visits: what the browser puts into its history, which nothing of a private window is, while one of the owner's own tabs shows it.
import { browser, type Browser } from 'wxt/browser'
import { isOpenedByUs } from '../page_tabs/popups'
import { isOfIt } from './permission'
import type { SeenVisit } from './visit'

/** Whoever leaves a page sooner did not look at it; by then it also has its title. */
export const DWELL_MS = 3_000

export interface VisitListener {
  isOn(): boolean
  take(visit: SeenVisit): Promise<void>
  /** The browser's permission was taken back. */
  onForbidden(): void
}

type Tab = Pick<Browser.tabs.Tab, 'id' | 'url' | 'title' | 'incognito'> & { hidden?: boolean }

/**
 * Called once when the background starts. Without the permission the browser has no such event. Firefox tells of a permission before it has
 * what comes with it: call what this returns again later.
 */
export function listenToVisits(ear: VisitListener): () => void {
  const onVisited = ({ url }: { url?: string }) => void takeVisit(ear, url)
  const attach = () => {
    if (browser.history && !browser.history.onVisited.hasListener(onVisited)) browser.history.onVisited.addListener(onVisited)
  }
  attach()
  browser.permissions.onAdded.addListener(attach)
  browser.permissions.onRemoved.addListener((permissions) => {
    if (isOfIt(permissions) && ear.isOn()) ear.onForbidden()
  })
  return attach
}

/** A visit begins with the first bytes of a page, before any tab shows it: looked for is the tab that shows it some seconds later. */
async function takeVisit(ear: VisitListener, url: string | undefined): Promise<void> {
  if (!url || !ear.isOn()) return
  const at = new Date()
  await new Promise((resolve) => setTimeout(resolve, DWELL_MS))
  if (!ear.isOn()) return
  const tab = (await browser.tabs.query({})).find((tab: Tab) => isShownIn(tab, url))
  if (tab) await ear.take({ url, title: tab.title ?? '', at })
}

/** Tabs that Penny opened, and private ones, are none of the owner's browsing. */
function isShownIn({ id, url, incognito, hidden }: Tab, address: string): boolean {
  return !incognito && !hidden && id !== undefined && !isOpenedByUs(id) && withoutPart(url ?? '') === withoutPart(address)
}

function withoutPart(url: string): string {
  return url.replace(/#.*$/, '')
}
