// Extraction of the page in which the script runs.
import type { Page } from '../protocol.gen'
import { countWords } from './blocks/blocks'
import { mainOf, type Main } from './extractors'
import { urlToStore, webUrl } from '../grants/hosts'
import { formOf, type NumberOf } from './form/page_form'
import { writtenLines } from './form/written_text'
import { absoluteUrl, linksOf } from './links'
import { metadataOf } from './metadata/metadata'
import { cutText, oneLine, plainText, TEXT_CHARACTERS, TITLE_CHARACTERS } from './plain_text'
import { textOf } from './blocks/text_of'
import { threadOf } from './threads/thread'
import { isIn, threadList } from './threads/thread_list'
import { readableDocument } from './visibility/visible_copy'
import { inSlices, type Work } from './slices'
import { withoutConsentBoxes } from './notices/consent_boxes'
import { noticeOf, type NoticeFound } from './notices/notice'
import { videoText } from './results/video_page'

const LEFT_OUT_CHARACTERS = 20_000

export interface Extraction {
  page: Page
  /** Why better extractors than `page.extracted_with` gave no result. */
  fallbacks: string[]
  /** What it shows in place of its content, or of the rest of it. */
  notice: NoticeFound | null
}

export async function extractPage(page: Document): Promise<Extraction> {
  const { visible, isBehindCover } = await inSlices(readableDocument(page))
  const consent = withoutConsentBoxes(visible)
  const main = isPlain(page) ? plainFile(page) : (video(visible, page) ?? (await inSlices(contentOf(visible, page))))
  const extraction = await inSlices(extractionOf(page, visible, main, consent))
  if (!isBehindCover) return extraction
  const why = 'sight: the page shows next to nothing, so what it hides was read'
  return { ...extraction, fallbacks: [why, ...extraction.fallbacks] }
}

function* extractionOf(page: Document, visible: Document, main: Content, consent: string): Work<Extraction> {
  const { fallbacks, extracted_with } = main
  const { links, numberOf } = linksOf(main.element, visible)
  yield
  const text = main.form(numberOf)
  const shortened = cutText(text, TEXT_CHARACTERS)
  yield
  const metadata = metadataOf(page)
  const isOfShop = metadata?.kind === 'product' || metadata?.availability != null || metadata?.price != null
  yield
  const isFile = extracted_with === 'text'
  const all = isFile ? '' : textOf(visible.body)
  const words = countWords(main.text)
  return {
    page: {
      url: addressOf(page),
      title: oneLine(page.title).slice(0, TITLE_CHARACTERS),
      text: shortened,
      links,
      ...imageOf(page),
      ...(metadata && { metadata }),
      extracted_with,
      truncated: shortened !== text,
      words: Math.round(words),
      ...leftOut(`${consent}\n${all}`, main.text),
    },
    fallbacks,
    notice: isFile ? null : noticeOf(page, visible, { text: main.text, words, all, consent, isOfShop }),
  }
}

/** The visible lines that are no content, for the owner. */
function leftOut(all: string, text: string): Pick<Page, 'left_out'> {
  const content = new Set(text.split('\n').map(bareLine))
  const lines = all.split('\n').filter((line) => line !== '' && !content.has(bareLine(line)))
  const rest = cutText(plainText(lines.join('\n').slice(0, 2 * LEFT_OUT_CHARACTERS)), LEFT_OUT_CHARACTERS)
  return rest ? { left_out: rest } : {}
}

function bareLine(line: string): string {
  return line.replace(/^(?:- |#+ )+/, '').trim()
}

/** The address of the page without session ids and keys. The caller refuses what is no web address. */
function addressOf(page: Document): string {
  const url = webUrl(page.URL)
  return url ? urlToStore(url) : page.URL
}

function isPlain({ contentType }: Document): boolean {
  return contentType.startsWith('text/') && contentType !== 'text/html'
}

/** The content of a page. `text`: its words, `form`: its text in the page form. */
interface Content extends Main {
  form: (numberOf: NumberOf) => string
}

function* contentOf(visible: Document, page: Document): Work<Content> {
  const main = yield* mainOf(visible, page.URL)
  yield
  const thread = threadOf(visible)
  if (thread && isIn(thread, main.text)) return { ...main, ...withForm(threadList(thread, visible)) }
  return { ...main, form: (numberOf) => formOf(main.element, numberOf) }
}

function video(visible: Document, page: Document): Content | null {
  const text = videoText(visible, page.URL)
  if (text === null) return null
  return { element: visible.body, text, form: () => text, extracted_with: 'heuristics', fallbacks: [] }
}

function withForm(element: Element): Pick<Content, 'element' | 'text' | 'form'> {
  return { element, text: textOf(element), form: (numberOf) => formOf(element, numberOf) }
}

/** A text file has no markup: the browser shows it in one <pre>. Its lines and spaces are content. */
function plainFile(page: Document): Content {
  const text = plainText(writtenLines(page.body).join('\n'))
  return { element: page.body, text, form: () => text, extracted_with: 'text', fallbacks: [] }
}

/** The address of the picture. The background replaces it by the picture. */
function imageOf(page: Document): Pick<Page, 'image'> {
  const meta =
    page.querySelector('meta[property="og:image"], meta[property="og:image:url"]') ??
    page.querySelector('meta[name="twitter:image"]')
  const image = absoluteUrl(meta?.getAttribute('content') ?? null, page.baseURI)
  return image ? { image } : {}
}
