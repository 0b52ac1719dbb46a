// The tabs that Penny has open now, kept so that the next start of the background closes those that outlive this one.
import { browser } from 'wxt/browser'
import { InTurn } from '../server/in_turn'
import { setOpenMarks, stored, type OpenTab } from '../state/stored'
import { removeRedirectRules } from './redirect_rules'

/** Where a tab of ours begins in Chrome, and stands until its fence does. */
export const EMPTY = 'about:blank'

export function remember(open: OpenTab): Promise<void> {
  return changeRemembered((tabs) => [...tabs.filter((tab) => tab.id !== open.id), open])
}

export async function closeTab(id: number): Promise<void> {
  await browser.tabs.remove(id).catch((reason: unknown) => console.info('Penny: the tab was already closed', reason))
  if (!import.meta.env.FIREFOX) await removeRedirectRules(id)
  await changeRemembered((tabs) => tabs.filter((tab) => tab.id !== id))
}

// One change after the other: two calls at once must not overwrite each other's entry.
const turn = new InTurn()

function changeRemembered(change: (tabs: OpenTab[]) => OpenTab[]): Promise<void> {
  return turn.next(async () => setOpenMarks(stored.tabs, change(await stored.tabs.getValue())))
}
