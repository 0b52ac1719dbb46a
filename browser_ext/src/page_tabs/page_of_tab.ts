// The page of a tab that the owner shows or keeps. The page is taken as it stands: nothing is opened, and only
// captions are waited for. A PDF is fetched again.
import { browser } from 'wxt/browser'
import type { Extraction } from '../extract/page'
import { urlToStore, webUrl } from '../grants/hosts'
import type { PdfText } from '../pdf/document'
import type { Page } from '../protocol.gen'
import { say, type Key } from '../say'
import { whyNot } from '../state/sharing'
import { pageOf, pdfAt, PdfFailure, pdfRead, type PdfTrouble } from './pdf_page'
import { ToolFailure } from './call_context'

export const READ_MS = 10_000
/** Time for fetching the PDF again. */
const PDF_MS = 30_000
/** Firefox gives this cookie store to tabs outside of containers. */
const NO_CONTAINER = 'firefox-default'

const PDF_TROUBLES: Record<PdfTrouble, Key> = {
  locked: 'share_pdf_locked',
  broken: 'share_pdf_broken',
  no_text: 'share_pdf_no_text',
  lettering: 'share_pdf_lettering',
  large: 'share_pdf_large',
  withheld: 'share_pdf_withheld',
}

/** No script can run in the tab: it shows a PDF, a picture, or a page of the browser. */
export class NotReadable extends ToolFailure {
  constructor() {
    super('load_failed', say('share_not_readable'))
  }
}

/**
 * The page of a tab as the owner chose to give it, with the address of its picture, and what else `extract` found.
 * A PDF is fetched only from the address of the tab, and gives its text alone. Throw ToolFailure for the owner.
 */
export async function pageInTab<Found extends Extraction>(
  tabId: number,
  server: string,
  extract: (tab: { id: number; signal: AbortSignal }) => Promise<Found>,
): Promise<{ page: Page; extraction: Found | null }> {
  const tab = await tabToShow(tabId, server)
  try {
    const extraction = await extractIn(tabId, extract)
    return { page: withSharedUrl(extraction, tab.url), extraction }
  } catch (failure) {
    if (!(failure instanceof ToolFailure) || !(await mayBePdf(tabId, failure))) throw failure
    return { page: await sharedPdf(tabId, tab, failure), extraction: null }
  }
}

/** Return a tab that the owner may show to Penny. Throw ToolFailure for the owner. */
export async function tabToShow(tabId: number, server: string) {
  const tab = await browser.tabs.get(tabId).catch(() => failClosed())
  const problem = tab.incognito ? say('share_private') : whyNot(tab.url, server)
  if (problem) throw new ToolFailure('bad_url', problem)
  return tab
}

/** Firefox lets no script into its PDF viewer. Chrome runs the script in an empty page around it. */
async function mayBePdf(tabId: number, failure: ToolFailure): Promise<boolean> {
  if (failure.code !== 'empty_page') return failure instanceof NotReadable
  const running = browser.scripting.executeScript({ target: { tabId }, func: () => document.contentType })
  const [frame] = await running.catch(() => [])
  return frame?.result === 'application/pdf'
}

/**
 * Fetch the PDF with the logins of the tab, without following redirects to other hosts. Throw `otherwise` where it is
 * no PDF.
 */
async function sharedPdf(tabId: number, { url = '', cookieStoreId }: SharedTab, otherwise: ToolFailure): Promise<Page> {
  // only tabs of a container have its logins
  const isContained = cookieStoreId !== undefined && cookieStoreId !== NO_CONTAINER
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

/** Only what the owner sees before sending: no metadata, and no secret in an address. */
function withSharedUrl({ page }: Extraction, url: string | undefined): Page {
  const address = webUrl(page.url)
  if (!address || address.host !== webUrl(url ?? '')?.host) throw new ToolFailure('load_failed', say('share_changed'))
  if (!page.text.trim()) throw new ToolFailure('empty_page', say('share_empty'))
  const { title, text, image, extracted_with, truncated, words } = page
  const links = page.links.map((link) => ({ text: link.text, url: urlToStore(new URL(link.url)) }))
  return {
    url: urlToStore(address),
    title,
    text,
    links,
    ...(image && { image }),
    extracted_with,
    truncated,
    ...(words !== undefined && { words }),
  }
}

async function extractIn<Found>(
  id: number,
  extract: (tab: { id: number; signal: AbortSignal }) => Promise<Found>,
): Promise<Found> {
  const signal = AbortSignal.timeout(READ_MS)
  try {
    return await extract({ id, signal })
  } catch (failure) {
    if (signal.aborted) throw new ToolFailure('timeout', say('share_slow'))
    const isBroken = failure instanceof ToolFailure && failure.code === 'internal'
    throw isBroken ? new ToolFailure('load_failed', say('share_broken')) : new NotReadable()
  }
}

function failClosed(): never {
  throw new ToolFailure('load_failed', say('share_closed'))
}
