// The text of a PDF. Its bytes are anybody's: this runs in a worker, which has none of the extension's rights and is ended from outside.
import { WorkerMessageHandler } from 'pdfjs-dist/legacy/build/pdf.worker.mjs' // first: it brings what old browsers lack
import { getDocument, PasswordException, PDFWorker, VerbosityLevel, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { wordsOf } from '../extract/blocks/blocks'
import { cutText, oneLine, TEXT_CHARACTERS, tidyLines, TITLE_CHARACTERS } from '../extract/plain_text'
import { textOfPieces } from './lines'

export interface PdfText {
  /** What the file says of itself; empty where it says nothing. */
  title: string
  text: string
  /** Whether there is more of it than `text`. */
  truncated: boolean
  /** Of all of it; absent where it was not read to its end. */
  words?: number
}

/** `locked`: it wants a password. `broken`: it is no PDF, or damaged. `no_text`: pictures alone. `lettering`: a table of characters is missing. */
export type PdfProblem = 'locked' | 'broken' | 'no_text' | 'lettering'
export type PdfAnswer = PdfText | { problem: PdfProblem }

const PAGES_MOST = 300
/** Once there is more text than is told, the rest is read for its number of words, and for no longer than this. */
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
    ...{ data: new Uint8Array(bytes), worker: beside(), verbosity: VerbosityLevel.ERRORS, BinaryDataFactory: without(missing) },
    ...{ disableFontFace: true, useSystemFonts: false, useWorkerFetch: false, useWasm: false, enableXfa: false },
    ...{ isOffscreenCanvasSupported: false, isImageDecoderSupported: false, CanvasFactory: Nothing, FilterFactory: Nothing },
  }).promise
  const text = await textOf(document)
  if (missing.size > 0) throw new Problem('lettering')
  if (!text.text) throw new Problem('no_text')
  return { title: await titleOf(document), ...text }
}

/** Both halves of pdf.js in one thread, which is a worker already. It ends with the thread: there is one for each file. */
function beside(): PDFWorker {
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
 * Stands for the files that pdf.js asks for by need. Tables of East Asian characters would be larger than the extension: that one was wanted
 * is noted, as text would be missing. Fonts are for drawing.
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
  const pages: string[] = []
  let characters = 0
  let damagedPages = 0
  let ends = Infinity
  const last = Math.min(document.numPages, PAGES_MOST)
  for (let number = 1; number <= last && Date.now() < ends; number++) {
    const text = await textOfPage(document, number)
    if (text === null) damagedPages++
    pages.push(text ?? '')
    characters += text?.length ?? 0
    if (characters > TEXT_CHARACTERS && ends === Infinity) ends = Date.now() + COUNTING_MS
  }
  if (damagedPages === pages.length) throw new Problem('broken')
  const isWhole = damagedPages === 0 && pages.length === document.numPages
  return textUpToLimit(tidyLines(pages.join('\n\n')), isWhole)
}

function textUpToLimit(all: string, isWhole: boolean): Omit<PdfText, 'title'> {
  const text = cutText(all, TEXT_CHARACTERS)
  return { text, truncated: text !== all || !isWhole, ...(isWhole && { words: wordsOf(all).length }) }
}

/** Returns null for a page that is damaged: the others can still be read. */
async function textOfPage(document: PDFDocumentProxy, number: number): Promise<string | null> {
  try {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    page.cleanup()
    return textOfPieces(items.filter((item) => 'str' in item))
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
