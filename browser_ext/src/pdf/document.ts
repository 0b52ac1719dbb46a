// Extracts the text of a PDF. The file is untrusted: this runs in a worker without the rights of the extension, and is
// ended from outside.
import './older_browsers' // first: pdf.js calls it while it is loaded
import { WorkerMessageHandler } from 'pdfjs-dist/build/pdf.worker.mjs'
import { getDocument, PasswordException, PDFWorker, VerbosityLevel, type PDFDocumentProxy } from 'pdfjs-dist'
import { wordsOf } from '../extract/blocks/blocks'
import { cutText, oneLine, TEXT_CHARACTERS, tidyLines, TITLE_CHARACTERS } from '../extract/plain_text'
import { textOfPages } from './form'
import { linesOfPieces, type Line } from './lines'

export interface PdfText {
  /** The title in the file, or empty. */
  title: string
  text: string
  truncated: boolean
  /** Words of the whole file. Absent if counting took too long. */
  words?: number
}

/**
 * `locked`: password. `broken`: no PDF, or damaged. `no_text`: only pictures. `lettering`: a character table is
 * missing.
 */
export type PdfProblem = 'locked' | 'broken' | 'no_text' | 'lettering'
export type PdfAnswer = PdfText | { problem: PdfProblem }

const PAGES_MOST = 300
/** Beyond the text limit, pages are read only to count words, and for no longer than this. */
const COUNTING_MS = 5_000

class Problem extends Error {
  constructor(readonly problem: PdfProblem) {
    super(problem)
  }
}

export async function pdfText(bytes: ArrayBuffer): Promise<PdfAnswer> {
  try {
    return await readDocument(bytes)
  } catch (reason) {
    if (reason instanceof Problem) return { problem: reason.problem }
    console.info('Penny: a PDF could not be read', reason)
    return { problem: reason instanceof PasswordException ? 'locked' : 'broken' }
  }
}

async function readDocument(bytes: ArrayBuffer): Promise<PdfText> {
  const missing = new Set<string>()
  const document = await getDocument({
    ...{
      data: new Uint8Array(bytes),
      worker: workerInThisThread(),
      verbosity: VerbosityLevel.ERRORS,
      BinaryDataFactory: without(missing),
    },
    ...{ disableFontFace: true, useSystemFonts: false, useWorkerFetch: false, useWasm: false, enableXfa: false },
    ...{
      isOffscreenCanvasSupported: false,
      isImageDecoderSupported: false,
      CanvasFactory: Nothing,
      FilterFactory: Nothing,
    },
  }).promise
  const text = await textOf(document)
  if (missing.size > 0) throw new Problem('lettering')
  if (!text.text) throw new Problem('no_text')
  return { title: await titleOf(document), ...text }
}

/** Run both halves of pdf.js in this thread, which is a worker already and ends with the file. */
function workerInThisThread(): PDFWorker {
  const { port1, port2 } = new MessageChannel()
  WorkerMessageHandler.initializeFromPort(port1)
  const worker = new PDFWorker({ port: port2 as unknown as null, verbosity: VerbosityLevel.ERRORS })
  port1.start()
  port2.start()
  return worker
}

/** Nothing is drawn. */
class Nothing {}

/**
 * Replaces the files that pdf.js loads on demand. Tables for East Asian characters would be larger than the extension.
 * A request for one is recorded, because text is missing then. Fonts are for drawing only.
 */
function without(missing: Set<string>): new () => object {
  return class {
    async fetch({ kind, filename }: { kind: string; filename: string }): Promise<never> {
      if (kind === 'cMapUrl') missing.add(filename)
      throw new Error(`${filename} is not part of the extension`)
    }
  }
}

async function textOf(document: PDFDocumentProxy): Promise<Omit<PdfText, 'title'>> {
  const pages: Line[][] = []
  let characters = 0
  let damagedPages = 0
  let ends = Infinity
  const last = Math.min(document.numPages, PAGES_MOST)
  for (let number = 1; number <= last && Date.now() < ends; number++) {
    const lines = await linesOfPage(document, number)
    if (lines === null) damagedPages++
    pages.push(lines ?? [])
    characters += lines?.reduce((sum, { text }) => sum + text.length, 0) ?? 0
    if (characters > TEXT_CHARACTERS && ends === Infinity) ends = Date.now() + COUNTING_MS
  }
  if (damagedPages === pages.length) throw new Problem('broken')
  const isWhole = damagedPages === 0 && pages.length === document.numPages
  return textUpToLimit(tidyLines(textOfPages(pages)), isWhole)
}

function textUpToLimit(all: string, isWhole: boolean): Omit<PdfText, 'title'> {
  const text = cutText(all, TEXT_CHARACTERS)
  return { text, truncated: text !== all || !isWhole, ...(isWhole && { words: wordsOf(all).length }) }
}

/** Return null for a damaged page: the others can still be read. */
async function linesOfPage(document: PDFDocumentProxy, number: number): Promise<Line[] | null> {
  try {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    page.cleanup()
    return linesOfPieces(items.filter((item) => 'str' in item))
  } catch (reason) {
    console.info('Penny: a page of a PDF could not be read', number, reason)
    return null
  }
}

async function titleOf(document: PDFDocumentProxy): Promise<string> {
  const { info } = await document.getMetadata().catch(() => ({ info: {} }))
  const title: unknown = 'Title' in info ? info.Title : ''
  return typeof title === 'string' ? oneLine(title).slice(0, TITLE_CHARACTERS) : ''
}
