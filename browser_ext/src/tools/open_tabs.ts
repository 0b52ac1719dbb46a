// The tabs that Penny has open now, kept so that the next start of the background closes those that outlive this one.
import { browser } from 'wxt/browser'
import { within } from '../abortable'
import { InTurn } from '../in_turn'
import { stored, type OpenTab } from '../stored'
import { unfence } from './fence'

/** Where a tab of ours begins in Chrome, and stands until its fence does. */
export const EMPTY = 'about:blank'

export function remember(open: OpenTab): Promise<void> {
  return changeRemembered((tabs) => [...tabs.filter((tab) => tab.id !== open.id), open])
}

/** Chrome that does not say that a tab is gone must not hold up what was read there. */
const CLOSE_MS = 5_000

/** Returns when the tab is gone; in Chrome, where its fence stands until then, at the latest after some seconds. */
export async function closeTab(id: number): Promise<void> {
  const closing = closeAndForget(id)
  await (import.meta.env.FIREFOX ? closing : within(CLOSE_MS, closing))
}

async function closeAndForget(id: number): Promise<void> {
  await browser.tabs.remove(id).catch((reason: unknown) => console.info('Penny: the tab was already closed', reason))
  if (!import.meta.env.FIREFOX) await unfence(id)
  await changeRemembered((tabs) => tabs.filter((tab) => tab.id !== id))
}

// One change after the other: two calls at once must not overwrite each other's entry.
const turn = new InTurn()

function changeRemembered(change: (tabs: OpenTab[]) => OpenTab[]): Promise<void> {
  return turn.next(async () => stored.tabs.setValue(change(await stored.tabs.getValue())))
}
