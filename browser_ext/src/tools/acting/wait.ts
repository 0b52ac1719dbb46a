// Waits for what a page does by itself.
import { delay } from '../../abortable'
import { folded } from '../../acting/snapshot/find'
import { browser } from 'wxt/browser'
import { webUrl } from '../../grants/hosts'
import { ToolFailure, type ToolContext } from '../../page_tabs/call_context'
import type { WaitAction } from '../../protocol.gen'
import type { Frame } from './page_scripts'
import { waitForLook } from './settle'

const WAIT_MS = 10_000
const WAIT_MOST_MS = 25_000
const QUIET_MS = 500
const POLL_MS = 100

export async function waitFor(
  { until, value = '', ms = 0 }: WaitAction,
  frame: Frame,
  next: number,
  { signal }: ToolContext,
): Promise<void> {
  const withinMs = Math.min(ms || WAIT_MS, WAIT_MOST_MS)
  const top = { ...frame, frameId: 0 }
  const text = folded(value).replace(/\s+/g, ' ').trim()
  if (until === 'ms') return delay(Math.min(ms, WAIT_MOST_MS), signal)
  if (until === 'path') return waitForPath(frame.tabId, value, withinMs, signal)
  if (until === 'quiet') return waitForLook(top, { next }, ({ quietMs }) => quietMs >= QUIET_MS, withinMs)
  await waitForLook(top, { next, text }, ({ hasText }) => hasText === (until === 'text'), withinMs)
}

async function waitForPath(tabId: number, path: string, withinMs: number, signal: AbortSignal): Promise<void> {
  const endsAt = Date.now() + withinMs
  let isThere = false // a page that loads for longer is there all the same
  while (Date.now() < endsAt) {
    const { url = '', status } = await browser.tabs.get(tabId)
    isThere = webUrl(url)?.pathname.startsWith(path) ?? false
    if (isThere && status === 'complete') return
    await delay(POLL_MS, signal)
  }
  if (!isThere) throw new ToolFailure('timeout', 'The page did not go there in time.')
}
