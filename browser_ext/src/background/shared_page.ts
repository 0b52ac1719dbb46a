// The page of the tab that the owner looks at, as it goes with a message. It is taken as it stands: nothing is opened or
// waited for, but a PDF is asked for once more.
import { browser } from 'wxt/browser'
import type { Extraction } from '../extract/page'
import { urlToStore, webUrl } from '../grants/hosts'
import type { PdfText } from '../pdf/document'
import type { Page } from '../protocol.gen'
import { say, type Key } from '../say'
import { whyNot } from '../state/sharing'
import { runInPage } from '../page_tabs/run_in_page'
import { pageOf, pdfAt, PdfFailure, pdfRead, type PdfTrouble } from '../page_tabs/pdf_page'
import { withPicture } from '../tools/picture'
import { ToolFailure, type ToolContext } from '../page_tabs/call_context'

const READ_MS = 10_000
/** It is loaded once more for that. */
const PDF_MS = 30_000
/** What tabs say in which Firefox has the logins that it has by itself. */
const NO_CONTAINER = 'firefox-default'

const PDF_TROUBLES: Record<PdfTrouble, Key> = {
  locked: 'share_pdf_locked',
  broken: 'share_pdf_broken',
  no_text: 'share_pdf_no_text',
  lettering: 'share_pdf_lettering',
  large: 'share_pdf_large',
  withheld: 'share_pdf_withheld',
}

/** No script can look into what the tab shows: a PDF, a picture, or a page of the browser's own. */
class NotReadable extends ToolFailure {
  constructor() {
    super('load_failed', say('share_not_readable'))
  }
}

/**
 * Throws ToolFailure, whose message is for the owner. Sharing is the owner's own act: it needs no grant and leaves none, and a PDF is asked for
 * at the tab's own address alone. The picture that the page names may be anywhere, and therefore comes from granted sites alone.
 */
export async function sharedPage(tabId: number, server: string, permits: ToolContext['permits']): Promise<Page> {
  const tab = await browser.tabs.get(tabId).catch(() => failClosed())
  const problem = tab.incognito ? say('share_private') : whyNot(tab.url, server)
  if (problem) throw new ToolFailure('bad_url', problem)
  try {
    const endsAt = Date.now() + READ_MS
    const page = withSharedUrl(await extractIn(tabId), tab.url)
    return await withPicture(page, { permits, endsAt, signal: AbortSignal.timeout(READ_MS) })
  } catch (failure) {
    if (!(failure instanceof ToolFailure) || !(await mayBePdf(tabId, failure))) throw failure
    return await sharedPdf(tabId, tab, failure)
  }
}

/** Firefox lets no script into its viewer; Chrome lets it into an empty page around it. */
async function mayBePdf(tabId: number, failure: ToolFailure): Promise<boolean> {
  if (failure.code !== 'empty_page') return failure instanceof NotReadable
  const running = browser.scripting.executeScript({ target: { tabId }, func: () => document.contentType })
  const [frame] = await running.catch(() => [])
  return frame?.result === 'application/pdf'
}

/** Its address is asked for once more, as the tab asked: with the same logins, but nowhere else. Throws `otherwise` where it is no PDF. */
async function sharedPdf(tabId: number, { url = '', cookieStoreId }: SharedTab, otherwise: ToolFailure): Promise<Page> {
  const isContained = cookieStoreId !== undefined && cookieStoreId !== NO_CONTAINER // whose logins only its tabs have
  const signal = AbortSignal.timeout(PDF_MS)
  const text = await pdfOf(new URL(url), isContained ? 'omit' : 'include', signal).catch((failure: unknown) => {
    if (signal.aborted) throw new ToolFailure('timeout', say('share_slow'))
    const trouble = failure instanceof PdfFailure ? failure.trouble : 'withheld'
    if (trouble === 'withheld' && !isNamedPdf(url)) throw otherwise
    throw new ToolFailure('load_failed', say(PDF_TROUBLES[trouble]))
  })
  const now = await browser.tabs.get(tabId).catch(() => failClosed())
  if (now.url !== url) throw new ToolFailure('load_failed', say('share_changed'))
  return pageOf(url, text)
}

async function pdfOf(url: URL, credentials: RequestCredentials, signal: AbortSignal): Promise<PdfText> {
  return pdfRead(await pdfAt(url, credentials, signal), signal)
}

interface SharedTab {
  url?: string | undefined
  cookieStoreId?: string
}

function isNamedPdf(url: string): boolean {
  return new URL(url).pathname.toLowerCase().endsWith('.pdf')
}

/** No more than what the owner can look at before it is sent: no metadata, and no secret in any address. */
function withSharedUrl({ page }: Extraction, url: string | undefined): Page {
  const address = webUrl(page.url)
  if (!address || address.host !== webUrl(url ?? '')?.host) throw new ToolFailure('load_failed', say('share_changed'))
  if (!page.text.trim()) throw new ToolFailure('empty_page', say('share_empty'))
  const { title, text, image, extracted_with, truncated, words } = page
  const links = page.links.map((link) => ({ text: link.text, url: urlToStore(new URL(link.url)) }))
  return { url: urlToStore(address), title, text, links, ...(image && { image }), extracted_with, truncated, ...(words !== undefined && { words }) }
}

async function extractIn(id: number): Promise<Extraction> {
  const signal = AbortSignal.timeout(READ_MS)
  try {
    return await runInPage<Extraction>({ id, signal }, '/extract_page.js')
  } catch (failure) {
    if (signal.aborted) throw new ToolFailure('timeout', say('share_slow'))
    const isBroken = failure instanceof ToolFailure && failure.code === 'internal'
    throw isBroken ? new ToolFailure('load_failed', say('share_broken')) : new NotReadable()
  }
}

function failClosed(): never {
  throw new ToolFailure('load_failed', say('share_closed'))
}
