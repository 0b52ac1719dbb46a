import type { NoticeFound } from '../extract/notices/notice'
import { cutText } from '../extract/plain_text'
import { isVideoAddress } from '../extract/results/video_address'
import type { BrowseUrlArguments, Page } from '../protocol.gen'
import { assertStillGranted, grantedUrl } from '../page_tabs/check_grant'
import { extractInPage, runInPage } from '../page_tabs/run_in_page'
import { withPage, type PageTab } from '../page_tabs/page_tab'
import { pdfPage } from '../page_tabs/pdf_page'
import { withPicture } from './picture'
import { PdfFound } from '../page_tabs/response'
import { areSelectors, fieldsIn } from './selectors'
import { ToolFailure, type ToolContext } from '../page_tabs/call_context'
import { hasTexts, isSession, tool } from './tool'

const NOTICE_CHARACTERS = 2_000

/**
 * Read one page of a granted host. The tab is closed before the picture is fetched, so that the page cannot interfere.
 */
export const browseUrl = tool(
  isArguments,
  async ({ url, session, selectors, scrolls }: BrowseUrlArguments, call: ToolContext): Promise<Page> => {
    const context = scrolls ? { ...call, isForList: true } : call
    try {
      const page = await withPage(grantedUrl(url, context), session, context, (tab) =>
        readPage(tab, selectors, context),
      )
      return await withPicture(page, context)
    } catch (failure) {
      if (!(failure instanceof PdfFound)) throw failure
      return pdfPage(failure.url, failure.session, context)
    }
  },
)

async function readPage(tab: PageTab, selectors: BrowseUrlArguments['selectors'], context: ToolContext): Promise<Page> {
  if (isVideoAddress(await tab.checkedUrl())) await runInPage<true>(tab, '/open_video.js')
  const { page, fallbacks, notice } = await extractInPage(tab)
  assertStillGranted(page.url, context.permits)
  fallbacks.forEach((fallback) => console.warn('Penny: extraction fell back', new URL(page.url).hostname, fallback))
  if (notice?.isWhole) return { ...page, notice: noticeIn(page, notice), text: '', links: [] }
  if (!page.text) throw new ToolFailure('empty_page', 'The page has no text that a reader could see.')
  return {
    ...page,
    ...(tab.isChanging && { changing: true }),
    ...(notice && { notice: { kind: notice.kind, text: '' } }),
    ...(await fieldsIn(tab, selectors)),
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
