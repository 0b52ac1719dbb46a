// Closes what outlived a background that died during a call: tabs, containers and registered scripts.
import { browser } from 'wxt/browser'
import { setOpenMarks, stored, type OpenTab } from '../state/stored'
import { markOwnTab } from './popups'
import { removeContainer } from './clean_session'
import { tabsWithRules, removeRedirectRules, removeTablessRules } from './redirect_rules'
import { EMPTY } from './open_tabs'

/** Call once when the background starts, before any call can open a tab. */
export async function cleanUp(): Promise<void> {
  const tabs = await stored.tabs.getValue()
  if (tabs.length > 0) await setOpenMarks(stored.tabs, [])
  if (!import.meta.env.FIREFOX) removeTablessRules()
  const withRules = import.meta.env.FIREFOX || tabs.length === 0 ? new Set<number>() : await tabsWithRules()
  await Promise.all(tabs.map((tab) => closeLeftover(tab, withRules.has(tab.id))))
  await browser.scripting.unregisterContentScripts()
  for (const container of await stored.containers.getValue()) await removeContainer(container)
}

/**
 * Ids start anew with the browser, so the address must match too, unless redirect rules prove that the tab is ours. A
 * tab left open is better than one of the owner's closed. Chrome reports no address for a tab that waits for a slow
 * site. An empty tab is nobody's loss.
 */
async function closeLeftover({ id, url }: OpenTab, isFenced: boolean): Promise<void> {
  const tab = await browser.tabs.get(id).catch(() => null)
  if (tab && !tab.active && (isFenced || tab.url === url || tab.url === EMPTY)) {
    markOwnTab(id)
    await browser.tabs.remove(id)
  }
  if (!import.meta.env.FIREFOX) await removeRedirectRules(id)
}
