import { browser } from 'wxt/browser'
import { abortable } from '../abortable'
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

/** Run one of our scripts in the tab, isolated from the page's own, and return its result. */
export async function runInPage<T>(tab: Pick<PageTab, 'id' | 'signal'>, file: PageScript): Promise<T> {
  const running = browser.scripting.executeScript({ target: { tabId: tab.id }, files: [file] })
  const [frame] = await abortable(running.catch(notReadable), tab.signal)
  if (!frame?.result) throw scriptFailure(file, frame)
  return frame.result as T // the result of our own script, in a world that the page cannot reach
}

/** Firefox reports an exception of the script beside the missing result, Chrome in the console of the page. */
function scriptFailure(file: PageScript, frame: object | undefined): ToolFailure {
  console.error('Penny: the script gave no result', file, frame && 'error' in frame ? frame.error : '')
  return new ToolFailure('internal', 'The page could not be taken apart.')
}

function notReadable(reason: unknown): never {
  console.info('Penny: the browser does not let extensions read this page', reason)
  throw new ToolFailure('load_failed', 'The browser does not let Penny read this kind of page.')
}
