import { browser } from 'wxt/browser'
import { abortable, delay } from '../abortable'
import type { PageTab } from './page_tab'
import { isQuiet, POLL_MS, type Sample } from './quiet'
import { ToolFailure } from './tool'

/** A page that loads for longer (a slow advertisement, an endless stream) is looked at all the same. */
const COMPLETE_MS = 10_000

/** Resolves when the page is there and quiet; the signal's deadline ends the waiting. */
export async function settled(tab: PageTab): Promise<void> {
  await Promise.race([completed(tab), delay(COMPLETE_MS, tab.signal)])
  const samples: Sample[] = []
  while (!isQuiet(samples)) {
    if (samples.length > 0) await delay(POLL_MS, tab.signal)
    samples.push(await look(tab))
  }
}

/** Listens first and looks second, or a page that completes in between would never be noticed. */
async function completed({ id, signal }: PageTab): Promise<void> {
  const heard = new AbortController()
  const complete = new Promise<void>((resolve, reject) => {
    const onUpdated = (tabId: number, change: { status?: string }) => {
      if (tabId === id && change.status === 'complete') resolve()
    }
    const onRemoved = (tabId: number) => {
      if (tabId === id) reject(new ToolFailure('load_failed', 'The tab was closed before the page could be read.'))
    }
    browser.tabs.onUpdated.addListener(onUpdated)
    browser.tabs.onRemoved.addListener(onRemoved)
    heard.signal.addEventListener('abort', () => {
      browser.tabs.onUpdated.removeListener(onUpdated)
      browser.tabs.onRemoved.removeListener(onRemoved)
    })
    browser.tabs.get(id).then((tab) => tab.status === 'complete' && isPage(tab.url) && resolve(), reject)
  })
  await abortable(complete, signal).finally(() => heard.abort())
}

/** A new tab is "complete" as about:blank before it has even asked the site. */
function isPage(url: string | undefined): boolean {
  return url !== undefined && url !== '' && url !== 'about:blank'
}

/** Checks the address at every look, so that a page that moves on is left at once. */
async function look(tab: PageTab): Promise<Sample> {
  const { url } = await browser.tabs.get(tab.id).catch(() => closed())
  if (!isPage(url)) return { characters: null, isComplete: false }
  await tab.checkedUrl()
  return sample(tab.id)
}

function closed(): never {
  throw new ToolFailure('load_failed', 'The tab was closed before the page could be read.')
}

async function sample(tabId: number): Promise<Sample> {
  try {
    const [injected] = await browser.scripting.executeScript({ target: { tabId }, func: measure })
    return injected?.result ?? { characters: null, isComplete: false }
  } catch {
    // Between two documents there is nothing to look at; a page that can never be looked at ends at the deadline.
    return { characters: null, isComplete: false }
  }
}

/** Runs in the page. */
function measure(): Sample {
  return { characters: document.body?.innerText.trim().length ?? 0, isComplete: document.readyState === 'complete' }
}
