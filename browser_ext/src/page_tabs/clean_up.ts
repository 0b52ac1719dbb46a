// Closes what outlived a background that died during a call: tabs, containers and registered scripts.
import { browser } from 'wxt/browser'
import { setOpenMarks, stored, type OpenTab } from '../state/stored'
import { markOwnTab } from './popups'
import { removeContainer } from './clean_session'
import { changeRules } from './rules/browser_rules'
import { restoreFences } from './rules/fence'
import { removeTablessRules } from './rules/redirect_rules'
import { isTabless } from './rules/session_rules'
import { startWith } from './start'
import { EMPTY } from './open_tabs'

/**
 * Call once when the background starts, before any call can open a tab. The rules of tabs that live on are made anew
 * from what is stored of these tabs; all others go, those of a closed tab after it.
 */
export function cleanUp(): Promise<void> {
  return startWith(async () => {
    if (import.meta.env.FIREFOX) await Promise.all([closeLeftovers(new Set()), restoreFences()])
    else {
      await changeRules(async (present) => {
        await closeLeftovers(new Set(present.flatMap(({ condition }) => condition.tabIds ?? [])))
        return { isOver: (rule) => !isTabless(rule), newRules: await restoreFences() }
      })
      removeTablessRules()
    }
    await browser.scripting.unregisterContentScripts()
    for (const container of await stored.containers.getValue()) await removeContainer(container)
  })
}

async function closeLeftovers(tabsWithRules: ReadonlySet<number>): Promise<void> {
  const tabs = await stored.tabs.getValue()
  if (tabs.length > 0) await setOpenMarks(stored.tabs, [])
  await Promise.all(tabs.map((tab) => closeLeftover(tab, tabsWithRules.has(tab.id))))
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
}
