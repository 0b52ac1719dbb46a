// Waits until the page is quiet after an act. The background looks, since timers of a tab not in front are slow.
import { browser } from 'wxt/browser'
import { delay } from '../../abortable'
import type { PageLook } from '../../acting/actions/watch'
import { ToolFailure } from '../../page_tabs/call_context'
import { TabDied, waitForLoad } from '../../page_tabs/wait_for_page'
import type { ActEvents } from './act_events'
import { runLook, type Frame } from './page_scripts'

const QUIET_MS = 100
const SETTLE_MS = 1_500
/** While a list or dialog of the page still comes, which takes longer on a busy machine. */
const COMING_MS = 4_000
const NAVIGATE_MS = 15_000
const POLL_MS = 50
/** Of a tab that says it is loaded: then the browser shows a page of its own, such as one about an error. */
const CLOSED_MS = 1_000

/** Return the last look, null after the page went to another document. `next`: the first free number. */
export async function settle(
  frame: Frame,
  events: ActEvents,
  document: string,
  next: number,
): Promise<PageLook | null> {
  const beganAt = Date.now()
  let last: PageLook | null = null
  while (Date.now() < beganAt + (last?.isComing ? COMING_MS : SETTLE_MS) && !events.hasClosedTab && !events.stop) {
    if (events.isLeaving) break
    const look = await runLook(frame, { next: last?.next ?? next })
    if (look?.document !== document) break
    last = look
    if (look.quietMs >= QUIET_MS) return last
    await delay(Math.min(POLL_MS, QUIET_MS - look.quietMs + 1), frame.signal)
  }
  const isSame = last !== null && !events.isLeaving && (await runLook(frame, { next }))?.document === document
  if (isSame || events.hasClosedTab || events.stop) return last
  await waitForDocument(frame, last?.next ?? next, () => events.stop !== null)
  return null
}

/** Load an address in the tab of a frame. Throws `TabDied` where the process of the tab ended. */
export async function load(frame: Frame, address: string, next: number, isStopped = () => false): Promise<void> {
  await browser.tabs.update(frame.tabId, { url: address })
  await waitForDocument(frame, next, isStopped)
}

/** Load once more where the process of the tab ended: then the browser starts another. */
export async function loadAgain(loading: () => Promise<void>): Promise<void> {
  await loading().catch((failure: unknown) => {
    if (!(failure instanceof TabDied)) throw failure
    console.info('Penny: the process of a tab ended; the page is loaded again')
    return loading()
  })
}

/** Wait until the next document is loaded and quiet, or it is known that none comes, or none to look at. */
export async function waitForDocument(frame: Frame, next: number, isStopped = () => false): Promise<void> {
  const endsAt = Date.now() + NAVIGATE_MS
  await waitForLoad({ id: frame.tabId, signal: frame.signal }, NAVIGATE_MS)
  const top = { ...frame, frameId: 0 }
  await runLook(top, { next, begins: true })
  let seenAt = Date.now()
  while (Date.now() < endsAt && !isStopped()) {
    const look = await runLook(top, { next })
    if (look && look.isLoaded && look.quietMs >= QUIET_MS) return
    if (look) seenAt = Date.now()
    else if (Date.now() > seenAt + CLOSED_MS) return
    await delay(POLL_MS, frame.signal)
  }
}

/** Wait until a look shows what is awaited. Throws `timeout`. */
export async function waitForLook(
  frame: Frame,
  request: { next: number; text?: string },
  isAwaited: (look: PageLook) => boolean,
  withinMs: number,
): Promise<void> {
  const endsAt = Date.now() + withinMs
  await runLook(frame, { ...request, begins: true })
  while (Date.now() < endsAt) {
    const look = await runLook(frame, request)
    if (look && isAwaited(look)) return
    await delay(POLL_MS, frame.signal)
  }
  throw new ToolFailure('timeout', 'It did not happen in time.')
}
