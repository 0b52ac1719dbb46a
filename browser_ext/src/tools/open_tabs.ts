// The tabs that Penny has open now, kept so that the next start of the background closes those that outlive this one.
import { browser } from 'wxt/browser'
import { stored, type OpenTab } from '../stored'
import { unfence } from './fence'

export function remember(open: OpenTab): Promise<void> {
  return changeRemembered((tabs) => [...tabs.filter((tab) => tab.id !== open.id), open])
}

export async function closeTab(id: number): Promise<void> {
  await browser.tabs.remove(id).catch((reason: unknown) => console.info('Penny: the tab was already closed', reason))
  if (!import.meta.env.FIREFOX) await unfence(id)
  await changeRemembered((tabs) => tabs.filter((tab) => tab.id !== id))
}

// One change after the other: two calls at once must not overwrite each other's entry.
let changes: Promise<void> = Promise.resolve()

function changeRemembered(change: (tabs: OpenTab[]) => OpenTab[]): Promise<void> {
  changes = changes.then(async () => stored.tabs.setValue(change(await stored.tabs.getValue())))
  return changes
}
