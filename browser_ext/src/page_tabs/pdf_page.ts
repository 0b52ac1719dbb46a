// A PDF as a page. No script can run in the browser's PDF viewer, so the extension fetches the file again.
import { urlToStore, webUrl } from '../grants/hosts'
import { textInWorker } from '../pdf/read_pdf'
import type { PdfProblem, PdfText } from '../pdf/document'
import type { BrowseUrlArguments, Page } from '../protocol.gen'
import { fetchFile } from './fetch_file'
import { assertStillGranted } from './check_grant'
import { assertAnswered, isPdf } from './response'
import { ToolFailure, type FailureCode, type ToolContext } from './call_context'

const MOST_BYTES = 20 * 1024 * 1024

/** `large`: too many bytes. `withheld`: this request got something else than the tab, or nothing. */
export type PdfTrouble = PdfProblem | 'large' | 'withheld'

const WHY: Record<PdfTrouble, [FailureCode, string]> = {
  locked: [
    'load_failed',
    'This PDF is locked with a password. Open it in the browser, and copy the words that matter.',
  ],
  broken: ['load_failed', 'This PDF is damaged, or none at all. Open it in the browser to see what is there.'],
  no_text: [
    'empty_page',
    'This PDF holds pictures of its pages and no text. Text recognition (OCR) would give it some.',
  ],
  lettering: [
    'load_failed',
    'The letters of this PDF are kept in an East Asian form that Penny cannot read. Open it in the browser, and copy the words that matter.',
  ],
  large: ['load_failed', 'This PDF is larger than 20 MB. Open it in the browser, and copy the words that matter.'],
  withheld: [
    'load_failed',
    'The site did not give Penny the PDF that it gave to the tab. Open it in the browser, and include it with a message.',
  ],
}

/** Callers translate `trouble` into words of their own. */
export class PdfFailure extends ToolFailure {
  constructor(readonly trouble: PdfTrouble) {
    super(...WHY[trouble])
  }
}

/**
 * Read the PDF that a tab reached at this address, every hop granted. This request follows no redirect: it could lead
 * elsewhere.
 */
export async function pdfPage(
  address: string,
  session: BrowseUrlArguments['session'],
  context: ToolContext,
): Promise<Page> {
  context.doing('load')
  assertStillGranted(address, context.permits)
  const bytes = await pdfAt(new URL(address), session === 'owner' ? 'include' : 'omit', context.signal)
  context.doing('read')
  const page = pageOf(address, await pdfRead(bytes, context.signal))
  assertStillGranted(address, context.permits)
  return page
}

export async function pdfAt(
  url: URL,
  credentials: RequestCredentials,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const check = ({ status, headers }: Response) => {
    assertAnswered(status)
    if (!isPdf(headers.get('content-type') ?? '', url.href)) throw new PdfFailure('withheld')
  }
  try {
    return await fetchFile(url, { signal, credentials, redirect: 'error', mostBytes: MOST_BYTES, check, tooLarge })
  } catch (failure) {
    signal.throwIfAborted()
    if (failure instanceof ToolFailure) throw failure
    console.info('Penny: a PDF could not be asked for', url.hostname, failure)
    throw new PdfFailure('withheld')
  }
}

/** Throws a PdfFailure. */
export async function pdfRead(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<PdfText> {
  const answer = await textInWorker(bytes.buffer, signal)
  if ('problem' in answer) throw new PdfFailure(answer.problem)
  return answer
}

export function pageOf(address: string, { title, text, truncated, words }: PdfText): Page {
  const url = webUrl(address)
  const header = { url: url ? urlToStore(url) : address, title: title || nameOf(address) }
  return { ...header, text, links: [], extracted_with: 'pdf', truncated, ...(words !== undefined && { words }) }
}

/** The file name, with spaces decoded. */
function nameOf(address: string): string {
  const name = new URL(address).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function tooLarge(): never {
  throw new PdfFailure('large')
}
