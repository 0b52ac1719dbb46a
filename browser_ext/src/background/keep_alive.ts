// Chrome stops an idle worker after 30 s. A ping every 20 s prevents that; the alarm starts a stopped worker again.
import { browser } from 'wxt/browser'
import type { Penny } from './penny'

const TICK_MS = 20_000
const ALARM = 'wake'
const ALARM_MINUTES = 0.5

export function keepAlive(penny: Penny): void {
  setInterval(() => penny.tick(), TICK_MS)
  if (import.meta.env.FIREFOX) return
  browser.alarms.onAlarm.addListener((alarm) => {
    if (alarm.name === ALARM) void penny.wake()
  })
  void browser.alarms.create(ALARM, { periodInMinutes: ALARM_MINUTES })
}
