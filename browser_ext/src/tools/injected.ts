import { browser } from 'wxt/browser'
import { abortable, within } from '../abortable'
import type { PageTab } from './page_tab'
import { ToolFailure } from './tool'

export type PageScript =
  | '/extract_page.js'
  | '/extract_results.js'
  | '/extract_fields.js'
  | '/extract_metadata.js'
  | '/extract_links.js'
  | '/extract_screen.js'
  | '/extract_videos.js'
  | '/open_video.js'

/** Longer than any page takes that answers at all, as long as the machine does anything else. */
const ANSWER_MS = 15_000

/** Runs one of our scripts in the tab, apart from the page's own, and returns its value. */
export async function injected<T>(tab: Pick<PageTab, 'id' | 'signal'>, file: PageScript): Promise<T> {
  const [frame] = await abortable(answer(tab.id, file).catch(notReadable), tab.signal)
  if (!frame?.result) throw broken(file, frame)
  return frame.result as T // the value of our own script, in a world that the page cannot reach
}

/** Where the answer is missing, for whatever reason, the script is asked once more, and whichever comes first counts. */
async function answer(tabId: number, file: PageScript) {
  const run = (injectImmediately: boolean) => browser.scripting.executeScript({ target: { tabId }, files: [file], injectImmediately })
  const first = run(false)
  const found = await within(ANSWER_MS, first)
  if (found) return found
  console.info('Penny: a page did not answer, and is asked once more', file)
  return Promise.race([first, run(true)])
}

/** Firefox reports an exception of the script beside the missing result, Chrome in the console of the page. */
function broken(file: PageScript, frame: object | undefined): ToolFailure {
  console.error('Penny: the script gave no result', file, frame && 'error' in frame ? frame.error : '')
  return new ToolFailure('internal', 'The page could not be taken apart.')
}

function notReadable(reason: unknown): never {
  console.info('Penny: the browser does not let extensions read this page', reason)
  throw new ToolFailure('load_failed', 'The browser does not let Penny read this kind of page.')
}
