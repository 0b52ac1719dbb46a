// Extraction of the page in which the script runs.
import type { Page } from '../protocol.gen'
import { countWords } from './blocks/blocks'
import { mainOf, type Main } from './extractors'
import { urlToStore, webUrl } from '../grants/hosts'
import { formInSlices, type NumberOf } from './form/page_form'
import { writtenLines } from './form/written_text'
import { absoluteUrl, linksOf } from './links'
import { metadataOf } from './metadata/metadata'
import { cutText, oneLine, plainText, TEXT_CHARACTERS, TITLE_CHARACTERS } from './plain_text'
import { textInSlices, textOf } from './blocks/text_of'
import { threadOf } from './threads/thread'
import { isIn, threadList } from './threads/thread_list'
import { readableDocument } from './visibility/visible_copy'
import { APART, inSlices, type Work } from './slices'
import { withoutConsentBoxes } from './notices/consent_boxes'
import type { Cue } from './transcript/cues'
import { cuesOfPage, transcriptBelow } from './transcript/transcript'
import { noticeOf, type NoticeFound } from './notices/notice'
import { videoPage } from './results/video_page'

const LEFT_OUT_CHARACTERS = 20_000
/** From so many elements on, parts of the work get a slice of their own. */
const MANY_ELEMENTS = 2_000

export interface Extraction {
  page: Page
  /** Why better extractors than `page.extracted_with` gave no result. */
  fallbacks: string[]
  /** What it shows in place of its content, or of the rest of it. */
  notice: NoticeFound | null
}

export async function extractPage(page: Document): Promise<Extraction> {
  return (await extractVisible(page)).extraction
}

/** `visible`: the copy of the page that holds what the owner can see of it. */
export async function extractVisible(page: Document): Promise<{ extraction: Extraction; visible: Document }> {
  const { visible, isBehindCover } = await inSlices(readableDocument(page))
  const consent = withoutConsentBoxes(visible)
  const main = isPlain(page) ? plainFile(page) : (video(visible, page) ?? (await inSlices(contentOf(visible, page))))
  const cues = main.cues ?? (isPlain(page) ? [] : await cuesOfPage(page, visible))
  const extraction = await inSlices(extractionOf(page, visible, { main, cues, consent }))
  if (!isBehindCover) return { extraction, visible }
  const why = 'sight: the page shows next to nothing, so what it hides was read'
  return { extraction: { ...extraction, fallbacks: [why, ...extraction.fallbacks] }, visible }
}

function* extractionOf(page: Document, visible: Document, { main, cues, consent }: Parts): Work<Extraction> {
  const { fallbacks, extracted_with } = main
  const apart = page.getElementsByTagName('*').length > MANY_ELEMENTS ? APART : undefined
  const { links, numberOf } = linksOf(main.element, visible)
  yield apart
  const form = main.form(numberOf)
  const text = typeof form === 'string' ? form : yield* form
  yield apart
  const shortened = cutText(text, TEXT_CHARACTERS)
  const transcript = yield* transcriptBelow(shortened, cues)
  yield apart
  const metadata = metadataOf(page)
  yield apart
  const isOfShop = metadata?.kind === 'product' || metadata?.availability != null || metadata?.price != null
  const isFile = extracted_with === 'text'
  const all = isFile ? '' : yield* textInSlices(visible.body)
  yield apart
  // the words of a video's page have those of its transcript
  const words = countWords(main.text) + (main.cues ? 0 : countWords(transcript.words))
  return {
    page: {
      url: addressOf(page),
      title: oneLine(page.title).slice(0, TITLE_CHARACTERS),
      text: shortened + transcript.text,
      links,
      ...imageOf(page),
      ...(metadata && { metadata }),
      extracted_with,
      truncated: shortened !== text || transcript.isCut,
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
  form: (numberOf: NumberOf) => string | Work<string>
  /** What is said in the video of a page that is about nothing else. */
  cues?: readonly Cue[]
}

interface Parts {
  main: Content
  /** What is said in the recordings of the page. */
  cues: readonly Cue[]
  consent: string
}

function* contentOf(visible: Document, page: Document): Work<Content> {
  const main = yield* mainOf(visible, page.URL)
  yield
  const thread = threadOf(visible)
  if (thread && isIn(thread, main.text)) return { ...main, ...withForm(threadList(thread, visible)) }
  return { ...main, form: (numberOf) => formInSlices(main.element, numberOf) }
}

function video(visible: Document, page: Document): Content | null {
  const watchPage = videoPage(visible, page.URL)
  if (!watchPage) return null
  const { text, spoken, cues } = watchPage
  const all = [text, ...spoken].join('\n')
  return { element: visible.body, text: all, form: () => text, cues, extracted_with: 'heuristics', fallbacks: [] }
}

function withForm(element: Element): Pick<Content, 'element' | 'text' | 'form'> {
  return { element, text: textOf(element), form: (numberOf) => formInSlices(element, numberOf) }
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
