import { browser } from 'wxt/browser'

const COLOUR = '#a84f23'

/** The toolbar button says how many questions wait, for when no panel is open. */
export async function showBadge(asks: number): Promise<void> {
  const button = browser.action ?? browser.browserAction
  await button.setBadgeBackgroundColor({ color: COLOUR })
  await button.setBadgeText({ text: asks > 0 ? String(asks) : '' })
}
