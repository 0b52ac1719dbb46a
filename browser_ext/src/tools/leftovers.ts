// Tabs and containers that outlived a background which was stopped in the middle of a call.
import { browser } from 'wxt/browser'
import { stored, type OpenTab } from '../stored'
import { markOurs } from './beside'
import { removeContainer } from './clean_session'
import { unfence } from './fence'

/** Called once when the background starts, before any call can have opened a tab. */
export async function closeLeftovers(): Promise<void> {
  const tabs = await stored.tabs.getValue()
  if (tabs.length > 0) await stored.tabs.setValue([])
  await Promise.all(tabs.map(closeLeftover))
  for (const container of await stored.containers.getValue()) await removeContainer(container)
}

/** Ids start anew with the browser, so the address must fit too: better a tab left open than one of the owner's closed. */
async function closeLeftover({ id, url }: OpenTab): Promise<void> {
  const tab = await browser.tabs.get(id).catch(() => null)
  if (tab && !tab.active && tab.url === url) {
    markOurs(id)
    await browser.tabs.remove(id)
  }
  if (!import.meta.env.FIREFOX) await unfence(id)
}
