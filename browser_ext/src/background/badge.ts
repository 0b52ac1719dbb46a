import { browser } from 'wxt/browser'
import { nextExpiryMs, openAsks, type Ask } from '../state/asks'
import { sayCount } from '../say'

const COLOUR = '#a84f23'
const LATE_MS = 50
const LONGEST_MS = 2 ** 31 - 1 // a longer timer fires at once

let timer: ReturnType<typeof setTimeout> | undefined

/** Show the number of open asks on the toolbar button until the last ask expires. */
export async function keepBadge(asks: readonly Ask[]): Promise<void> {
  clearTimeout(timer)
  const waiting = openAsks(asks, Date.now())
  const wait = nextExpiryMs(waiting, Date.now())
  if (wait !== null) timer = setTimeout(() => void keepBadge(waiting), Math.min(wait + LATE_MS, LONGEST_MS))
  await showBadge(waiting.length)
}

async function showBadge(count: number): Promise<void> {
  const button = browser.action ?? browser.browserAction
  await button.setBadgeBackgroundColor({ color: COLOUR })
  await button.setBadgeText({ text: count > 0 ? String(count) : '' })
  await button.setTitle({ title: titleOf(count) })
}

/** Tooltip of the button; a screen reader reads it too. */
function titleOf(count: number): string {
  return count === 0 ? 'Penny' : sayCount('badge', count)
}
