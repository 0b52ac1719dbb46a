// The page of the tab that the owner looks at, as it goes with a message. It is taken as it stands: nothing is opened or waited for.
import { browser } from 'wxt/browser'
import type { Extraction } from '../extract/page'
import { urlToStore, webUrl } from '../hosts'
import type { Page } from '../protocol.gen'
import { say } from '../say'
import { isPdf, whyNot } from '../sharing'
import { injected } from '../tools/injected'
import { withPicture } from '../tools/picture'
import { ToolFailure, type ToolContext } from '../tools/tool'

const READ_MS = 10_000

/**
 * Throws ToolFailure, whose message is for the owner. Sharing is the owner's own act: it needs no grant and leaves none. Only the
 * picture that the page names is asked of a site, and therefore comes from granted ones alone.
 */
export async function sharedPage(tabId: number, server: string, permits: ToolContext['permits']): Promise<Page> {
  const tab = await browser.tabs.get(tabId).catch(() => closed())
  const problem = tab.incognito ? say('share_private') : whyNot(tab.url, server)
  if (problem) throw new ToolFailure('bad_url', problem)
  try {
    const endsAt = Date.now() + READ_MS
    const page = shown(await extracted(tabId), tab.url)
    return await withPicture(page, { permits, endsAt, signal: AbortSignal.timeout(READ_MS) })
  } catch (failure) {
    if (isPdf(tab.url ?? '')) throw new ToolFailure('load_failed', say('share_pdf'))
    throw failure
  }
}

/** No more than what the owner can look at before it is sent: no metadata, and no secret in any address. */
function shown({ page }: Extraction, url: string | undefined): Page {
  const address = webUrl(page.url)
  if (!address || address.host !== webUrl(url ?? '')?.host) throw new ToolFailure('load_failed', say('share_changed'))
  if (!page.text.trim()) throw new ToolFailure('empty_page', say('share_empty'))
  const { title, text, image, extracted_with, truncated, words } = page
  const links = page.links.map((link) => ({ text: link.text, url: urlToStore(new URL(link.url)) }))
  return { url: urlToStore(address), title, text, links, ...(image && { image }), extracted_with, truncated, ...(words !== undefined && { words }) }
}

async function extracted(id: number): Promise<Extraction> {
  const signal = AbortSignal.timeout(READ_MS)
  try {
    return await injected<Extraction>({ id, signal }, '/extract_page.js')
  } catch (failure) {
    if (signal.aborted) throw new ToolFailure('timeout', say('share_slow'))
    const isBroken = failure instanceof ToolFailure && failure.code === 'internal'
    throw new ToolFailure('load_failed', say(isBroken ? 'share_broken' : 'share_not_readable'))
  }
}

function closed(): never {
  throw new ToolFailure('load_failed', say('share_closed'))
}
