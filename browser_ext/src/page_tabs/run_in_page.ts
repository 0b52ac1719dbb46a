import { browser } from 'wxt/browser'
import { abortable } from '../abortable'
import type { Extraction } from '../extract/page'
import type { PageTab } from './page_tab'
import { ToolFailure } from './call_context'

export type PageScript =
  | '/extract_page.js'
  | '/extract_results.js'
  | '/extract_fields.js'
  | '/extract_metadata.js'
  | '/extract_links.js'
  | '/extract_screen.js'
  | '/extract_videos.js'
  | '/open_video.js'

const EXTRACTORS = '/extract_page.js'

/** Run one of our scripts in the tab, isolated from the page's own, and return its result. */
export async function runInPage<T>(tab: Pick<PageTab, 'id' | 'signal'>, file: PageScript): Promise<T> {
  return runFiles<T>(tab, file === EXTRACTORS || file === '/open_video.js' ? [file] : [file, EXTRACTORS])
}

/** Extract the page. Where the choice of blocks finds too little, Defuddle is loaded, and the page extracted once more. */
export async function extractInPage(tab: Pick<PageTab, 'id' | 'signal'>): Promise<Extraction> {
  const extraction = await runInPage<Extraction>(tab, EXTRACTORS)
  if (extraction.page.extracted_with !== 'treewalker') return extraction
  return runFiles<Extraction>(tab, ['/defuddle.js', EXTRACTORS])
}

/** The files run one after the other. The result is that of the last one. */
async function runFiles<T>(tab: Pick<PageTab, 'id' | 'signal'>, files: (PageScript | '/defuddle.js')[]): Promise<T> {
  const running = browser.scripting.executeScript({ target: { tabId: tab.id }, files })
  const [frame] = await abortable(running.catch(notReadable), tab.signal)
  if (!frame?.result) throw scriptFailure(files.join(' '), frame)
  return frame.result as T // the result of our own script, in a world that the page cannot reach
}

/** Firefox reports an exception of the script beside the missing result, Chrome in the console of the page. */
function scriptFailure(files: string, frame: object | undefined): ToolFailure {
  console.error('Penny: the script gave no result', files, frame && 'error' in frame ? frame.error : '')
  return new ToolFailure('internal', 'The page could not be taken apart.')
}

function notReadable(reason: unknown): never {
  console.info('Penny: the browser does not let extensions read this page', reason)
  throw new ToolFailure('load_failed', 'The browser does not let Penny read this kind of page.')
}
