import { browser } from 'wxt/browser'
import { abortable } from '../abortable'
import type { KeptExtraction } from '../extract/kept'
import type { Extraction } from '../extract/page'
import { ToolFailure } from './call_context'

export type PageScript =
  | '/extract_page.js'
  | '/extract_kept.js'
  | '/extract_results.js'
  | '/extract_fields.js'
  | '/extract_metadata.js'
  | '/extract_links.js'
  | '/extract_screen.js'
  | '/extract_videos.js'
  | '/open_video.js'

export const BASICS = '/page_basics.js'
const EXTRACTORS = [BASICS, '/extractors.js'] as const
type Files = readonly (PageScript | (typeof EXTRACTORS)[number] | '/defuddle.js')[]

interface Tab {
  id: number
  signal: AbortSignal
}

/**
 * Load the extractors for the next script in this tab, which takes longer than reading a small page. If it fails, that
 * script loads them.
 */
export function prepareToRun(tabId: number): void {
  browser.scripting.executeScript({ target: { tabId }, files: [...EXTRACTORS] }).catch(() => undefined)
}

/**
 * Run one of our scripts in the tab, isolated from the page's own, and return its result. Without a result, the
 * extractors were not there: they are loaded, and the script runs again.
 */
export async function runInPage<T>(tab: Tab, file: PageScript): Promise<T> {
  const frame = await runFiles(tab, [file])
  return (frame?.result ?? (await resultOf(tab, [...EXTRACTORS, file]))) as T
}

/**
 * Extract the page. Where the choice of blocks finds too little, Defuddle is loaded, and the page extracted once more.
 */
export function extractInPage(tab: Tab): Promise<Extraction> {
  return extractBy('/extract_page.js', tab)
}

/** Extract the page with what its text lacks: the addresses of those whom it names. */
export function extractToKeep(tab: Tab): Promise<KeptExtraction> {
  return extractBy('/extract_kept.js', tab)
}

async function extractBy<Found extends Extraction>(script: PageScript, tab: Tab): Promise<Found> {
  const extraction = await runInPage<Found>(tab, script)
  if (extraction.page.extracted_with !== 'treewalker') return extraction
  return (await resultOf(tab, ['/defuddle.js', ...EXTRACTORS, script])) as Found
}

/** Return the result of our own script, in a world that the page cannot reach. */
async function resultOf(tab: Tab, files: Files): Promise<unknown> {
  const frame = await runFiles(tab, files)
  if (!frame?.result) throw scriptFailure(files.join(' '), frame)
  return frame.result
}

/** The files run one after the other. The result is that of the last one. */
async function runFiles(tab: Tab, files: Files): Promise<{ result?: unknown } | undefined> {
  const running = browser.scripting.executeScript({ target: { tabId: tab.id }, files: [...files] })
  const [frame] = await abortable(running.catch(notReadable), tab.signal)
  return frame
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
