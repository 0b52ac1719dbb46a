// The tabs that Penny has open now, stored so that the next start closes those that outlive this background.
import { browser } from 'wxt/browser'
import { InTurn } from '../server/in_turn'
import { setOpenMarks, stored, type OpenTab } from '../state/stored'
import { removeRedirectRules } from './rules/redirect_rules'

/** In Chrome our tabs start here, and wait for their redirect rules. */
export const EMPTY = 'about:blank'

export function remember(open: OpenTab): Promise<void> {
  return changeRemembered((tabs) => [...tabs.filter((tab) => tab.id !== open.id), open])
}

export async function closeTab(id: number): Promise<void> {
  await browser.tabs.remove(id).catch((reason: unknown) => console.info('Penny: the tab was already closed', reason))
  if (!import.meta.env.FIREFOX) await removeRedirectRules(id)
  await changeRemembered((tabs) => tabs.filter((tab) => tab.id !== id))
}

// One change after the other: two calls must not overwrite each other's entry.
const turn = new InTurn()

function changeRemembered(change: (tabs: OpenTab[]) => OpenTab[]): Promise<void> {
  return turn.next(async () => setOpenMarks(stored.tabs, change(await stored.tabs.getValue())))
}
