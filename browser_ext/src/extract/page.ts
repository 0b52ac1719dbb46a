// Extraction of the page in which the script runs.
import type { Page } from '../protocol.gen'
import { countWords } from './blocks/blocks'
import { mainOf, type Main } from './extractors'
import { urlToStore, webUrl } from '../grants/hosts'
import { absoluteUrl, fitting, linksOf } from './links'
import { metadataOf } from './metadata/metadata'
import { cutText, oneLine, TEXT_CHARACTERS, tidyLines, TITLE_CHARACTERS } from './plain_text'
import { readableDocument } from './visibility/visible_copy'
import { inSlices } from './slices'
import { asksForSignIn } from './sign_in'
import { videoText } from './results/video_page'

export interface Extraction {
  page: Page
  /** Why better extractors than `page.extracted_with` gave no result. */
  fallbacks: string[]
  asksForSignIn: boolean
}

export async function extractPage(page: Document): Promise<Extraction> {
  const { visible, isBehindCover } = await inSlices(readableDocument(page))
  const main = isPlain(page) ? plainFile(page) : (video(visible, page) ?? (await inSlices(mainOf(visible, page.URL))))
  const { text, fallbacks, extracted_with } = main
  const shortened = cutText(text, TEXT_CHARACTERS)
  return {
    page: {
      url: addressOf(page),
      title: oneLine(page.title).slice(0, TITLE_CHARACTERS),
      text: shortened,
      links: fitting(linksOf(main.element, visible)),
      ...imageOf(page),
      ...metadata(page),
      extracted_with,
      truncated: shortened !== text,
      words: Math.round(countWords(text)),
    },
    fallbacks: isBehindCover
      ? ['sight: the page shows next to nothing, so what it hides was read', ...fallbacks]
      : fallbacks,
    asksForSignIn: asksForSignIn(page, text),
  }
}

/** The address of the page without session ids and keys. The caller refuses what is no web address. */
function addressOf(page: Document): string {
  const url = webUrl(page.URL)
  return url ? urlToStore(url) : page.URL
}

function isPlain({ contentType }: Document): boolean {
  return contentType.startsWith('text/') && contentType !== 'text/html'
}

function video(visible: Document, page: Document): Main | null {
  const text = videoText(visible, page.URL)
  return text === null ? null : { element: visible.body, text, extracted_with: 'heuristics', fallbacks: [] }
}

/** A text file has no markup: the browser shows it in one <pre>. */
function plainFile(page: Document): Main {
  return { element: page.body, text: tidyLines(page.body.textContent ?? ''), extracted_with: 'text', fallbacks: [] }
}

/** The address of the picture. The background replaces it by the picture. */
function imageOf(page: Document): Pick<Page, 'image'> {
  const meta =
    page.querySelector('meta[property="og:image"], meta[property="og:image:url"]') ??
    page.querySelector('meta[name="twitter:image"]')
  const image = absoluteUrl(meta?.getAttribute('content') ?? null, page.baseURI)
  return image ? { image } : {}
}

function metadata(page: Document): Pick<Page, 'metadata'> {
  const entries = metadataOf(page)
  return entries ? { metadata: entries } : {}
}
