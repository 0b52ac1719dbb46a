import type { KeptExtraction } from '../extract/kept'
import type { NoticeFound } from '../extract/notices/notice'
import type { Extraction } from '../extract/page'
import { cutText } from '../extract/plain_text'
import { isVideoAddress } from '../extract/results/video_address'
import type { BrowseUrlArguments, Page } from '../protocol.gen'
import { assertStillGranted, grantedUrl } from '../page_tabs/check_grant'
import { extractInPage, extractToKeep, runInPage } from '../page_tabs/run_in_page'
import { withPage, type PageTab } from '../page_tabs/page_tab'
import { pdfPage } from '../page_tabs/pdf_page'
import { withPicture } from './picture'
import { showsSecretField } from '../vault/rules/after'
import { PdfFound } from '../page_tabs/response'
import { areSelectors, fieldsIn } from './selectors'
import { ToolFailure, type ToolContext } from '../page_tabs/call_context'
import { hasTexts, isSession, tool } from './tool'

/** Listed among the tools: the server has a page read to keep it only by a browser that lists it. */
export const READS_TO_KEEP = 'read_to_keep'
const NOTICE_CHARACTERS = 2_000

/**
 * Read one page of a granted host. The tab is closed before the picture is fetched, so that the page cannot interfere.
 */
export const browseUrl = tool(isArguments, async (request: BrowseUrlArguments, call: ToolContext): Promise<Page> => {
  const context = request.scrolls ? { ...call, isForList: true } : call
  try {
    const page = await withPage(grantedUrl(request.url, context), request.session, context, (tab) =>
      readPage(tab, request, context),
    )
    return await withPicture(page, context)
  } catch (failure) {
    if (!(failure instanceof PdfFound)) throw failure
    return pdfPage(failure.url, failure.session, context)
  }
})

async function readPage(tab: PageTab, request: BrowseUrlArguments, context: ToolContext): Promise<Page> {
  if (isVideoAddress(await tab.checkedUrl())) await runInPage<true>(tab, '/open_video.js')
  const extraction: Extraction & Partial<KeptExtraction> = request.keeps
    ? await extractToKeep(tab)
    : await extractInPage(tab)
  const { page, fallbacks, notice, signs } = extraction
  assertStillGranted(page.url, context.permits)
  fallbacks.forEach((fallback) => console.warn('Penny: extraction fell back', new URL(page.url).hostname, fallback))
  if (notice?.isWhole) return { ...page, notice: noticeIn(page, notice), text: '', links: [] }
  if (signs && showsSecretField(signs))
    throw new ToolFailure('secret_field', 'The page asks for a password, a card or a code.')
  if (!page.text) throw new ToolFailure('empty_page', 'The page has no text that a reader could see.')
  return {
    ...page,
    ...(tab.isChanging && { changing: true }),
    ...(notice && { notice: { kind: notice.kind, text: '' } }),
    ...(await fieldsIn(tab, request.selectors)),
  }
}

/** The words of a notice are kept apart from the text, which is what a reader reads. */
function noticeIn({ text }: Page, { kind }: NoticeFound): Page['notice'] {
  return { kind, text: cutText(text, NOTICE_CHARACTERS) }
}

function isArguments(value: unknown): value is BrowseUrlArguments {
  if (!isBrowseUrl(value)) return false
  const selectors: unknown = value.selectors
  return selectors === undefined || selectors === null || areSelectors(selectors)
}

export function isBrowseUrl(value: unknown): value is BrowseUrlArguments {
  return hasTexts(value, 'url', 'session') && isSession(value.session)
}
