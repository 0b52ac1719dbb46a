// The offer to pair on Penny's own page: read when the owner asks, in the tab in front, in its top frame alone.
import { browser } from 'wxt/browser'
import { BadAddress, serverOrigin } from '../server/address'

const CODE = /^\d{8}$/
const READ_MS = 2_000

/** `server` is the address of the page itself. What a page says about its address does not count. */
export interface Offer {
  server: string
  code: string
}

/** Return what the page in this tab offers. Null for plain http off this computer, and in private windows. */
export async function pairingOffer(tabId: number): Promise<Offer | null> {
  const page = await inTime(readInPage(tabId))
  if (!page || !CODE.test(page.code)) return null
  const tab = await browser.tabs.get(tabId).catch(() => null)
  if (!tab || tab.incognito || !isAt(tab.url, page.address)) return null
  const server = serverAt(page.address)
  return server === null ? null : { server, code: page.code }
}

type OfferPage = ReturnType<typeof shownOffer>

async function readInPage(tabId: number): Promise<OfferPage | null> {
  const target = { tabId, frameIds: [0] }
  const running = browser.scripting.executeScript({ target, injectImmediately: true, func: shownOffer })
  const [frame] = await running.catch(() => [])
  return frame?.result ?? null
}

/** Runs in the page, in a world of our own, where the page cannot answer. */
function shownOffer(): { address: string; code: string } {
  const code = document.querySelector('[data-pairing-offer]')?.getAttribute('data-pairing-offer') ?? ''
  return { address: location.origin + location.pathname, code: code.length > 8 ? '' : code }
}

/** A page that never answers holds no panel. */
function inTime<T>(work: Promise<T | null>): Promise<T | null> {
  return Promise.race([work, new Promise<null>((resolve) => setTimeout(() => resolve(null), READ_MS))])
}

/** Whether the tab still shows the page that answered. */
function isAt(url: string | undefined, address: string): boolean {
  return url !== undefined && URL.canParse(url) && new URL(url).origin === new URL(address).origin
}

function serverAt(address: string): string | null {
  try {
    return serverOrigin(address)
  } catch (failure) {
    if (failure instanceof BadAddress) return null
    throw failure
  }
}
