// Closes every tab that one of our tabs opens. A popup may be created while our tab is closing, and must not stay with
// the owner. So this listens as long as the background lives, not as long as a call runs.
import { browser, type Browser } from 'wxt/browser'

/** Our tabs and their popups, closed ones too: browsers never use an id twice. */
const ownTabs = new Set<number>()
const popups = new Set<number>()

export function markOwnTab(tabId: number): void {
  ownTabs.add(tabId)
}

/** Call once when the background starts. */
export function closePopups(): void {
  browser.tabs.onCreated.addListener(onTab)
  browser.webNavigation.onCreatedNavigationTarget.addListener(onTarget)
}

/** Whether one of our tabs opened this one, so that it is about to be closed. */
export async function isPopup(tabId: number): Promise<boolean> {
  if (ownTabs.has(tabId)) return false
  const tab = await browser.tabs.get(tabId).catch(() => null)
  return popups.has(tabId) || isOurs(tab?.openerTabId)
}

function onTab({ id, openerTabId }: Pick<Browser.tabs.Tab, 'id' | 'openerTabId'>): void {
  if (id !== undefined && isOurs(openerTabId)) void close(id)
}

/** This event names the opener even if the page hid it (`noopener`). */
function onTarget({ sourceTabId, tabId }: { sourceTabId: number; tabId: number }): void {
  if (isOurs(sourceTabId)) void close(tabId)
}

/** Whether a tab is ours or a popup of ours. */
export function isOpenedByUs(tabId: number): boolean {
  return isOurs(tabId)
}

function isOurs(tabId: number | undefined): boolean {
  return tabId !== undefined && (ownTabs.has(tabId) || popups.has(tabId))
}

async function close(tabId: number): Promise<void> {
  popups.add(tabId)
  await browser.tabs.remove(tabId).catch(() => undefined) // the other event was first
}
