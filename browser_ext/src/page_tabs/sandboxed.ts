// Chrome's clean session holds only in the sandbox. A worker that the site left in the owner's browser may answer for
// the site, from the owner's storage, and past the rules that make the sandbox. Reloading past caches passes the worker
// by.
import { browser } from 'wxt/browser'
import { delay } from '../abortable'
import { ToolFailure } from './call_context'
import { POLL_MS } from './page_samples'
import { waitForPage, type LoadingTab } from './wait_for_page'

const RELOAD_MS = 10_000
const LOOKS_MOST = 3

/** Read the page only if it is in the sandbox, before and after. Throws `no_clean_session`. */
export function sandboxed<Tab extends LoadingTab, T>(read: (tab: Tab) => Promise<T>): (tab: Tab) => Promise<T> {
  return async (tab) => {
    if (!(await isSandboxed(tab))) await reloadPastWorker(tab)
    const result = await read(tab)
    if (!(await isSandboxed(tab))) throw noCleanSession()
    return result
  }
}

async function reloadPastWorker(tab: LoadingTab): Promise<void> {
  console.info('Penny: a worker of the site answered; the page is loaded without it')
  await browser.tabs.reload(tab.id, { bypassCache: true })
  const ends = Date.now() + RELOAD_MS
  while (!(await isSandboxed(tab))) {
    if (Date.now() > ends) throw noCleanSession()
    await delay(POLL_MS, tab.signal)
  }
  await waitForPage(tab)
  await tab.checkedUrl()
}

/**
 * Asked in a world of our own, where the page cannot answer. Between two documents nobody answers: it is asked again.
 */
async function isSandboxed({ id, signal }: LoadingTab): Promise<boolean> {
  for (let looks = 0; looks < LOOKS_MOST; looks++) {
    try {
      const [frame] = await browser.scripting.executeScript({ target: { tabId: id }, func: hasNoOrigin })
      return frame?.result === true
    } catch {
      await delay(POLL_MS, signal)
    }
  }
  return false
}

/** Runs in the page. */
function hasNoOrigin(): boolean {
  return self.origin === 'null'
}

function noCleanSession(): ToolFailure {
  return new ToolFailure('no_clean_session', 'This browser cannot open the page without your logins.')
}
