// Transcripts of podcasts: caption files to which a page with media links, and those that its feed names for the
// episode. Only files of the page's own origin are fetched, as the page itself could do.
import { cuesInFile } from './caption_files'
import type { Cue } from './cues'
import { isOfLanguage } from './language'

const FILE_BYTES = 2_000_000
const FILES_MOST = 2
const FILE_NAME = /\.(?:vtt|srt)$/i
const FEED = 'link[rel~="alternate"][type="application/rss+xml"][href]'
const TYPES = /^(?:text\/vtt|text\/srt|application\/(?:x-subrip|srt|json))$/i
const ITEMS_MOST = 2_000

/** Return the cues of the first such file. `visible`: the copy of the page that holds what the owner can see of it. */
export async function cuesOfFiles(page: Document, visible: Document, signal: AbortSignal): Promise<Cue[]> {
  const media = [...page.querySelectorAll<HTMLMediaElement>('video, audio')]
  if (media.length === 0) return []
  return (
    (await cuesAt(linkedIn(visible, page), page, signal)) ??
    (await cuesAt(await namedInFeed(page, media, signal), page, signal)) ??
    []
  )
}

async function cuesAt(files: readonly URL[], page: Document, signal: AbortSignal): Promise<Cue[] | null> {
  for (const file of files.slice(0, FILES_MOST)) {
    const text = await textAt(file, page, signal)
    const cues = text === null ? [] : cuesInFile(text)
    if (cues.length > 0) return cues
  }
  return null
}

function linkedIn(visible: Document, page: Document): URL[] {
  const links = [...visible.querySelectorAll('a[href]')].filter((link) => isOfLanguage(link.getAttribute('lang'), page))
  const urls = links.flatMap((link) => ownUrl(link.getAttribute('href'), page) ?? [])
  return urls.filter(({ pathname }) => FILE_NAME.test(pathname))
}

async function namedInFeed(page: Document, media: readonly HTMLMediaElement[], signal: AbortSignal): Promise<URL[]> {
  const address = page.querySelector(FEED)?.getAttribute('href') ?? null
  const feed = ownUrl(address, page)
  const text = feed && (await textAt(feed, page, signal))
  if (!text) return []
  const sounds = new Set(media.flatMap(({ src, currentSrc }) => [src, currentSrc]).filter(Boolean))
  const items = [...new DOMParser().parseFromString(text, 'text/xml').getElementsByTagName('item')].slice(0, ITEMS_MOST)
  const episode = items.find((item) => isAbout(item, page, sounds))
  return [...(episode?.getElementsByTagName('podcast:transcript') ?? [])]
    .filter((file) => TYPES.test(file.getAttribute('type') ?? '') && isOfLanguage(file.getAttribute('language'), page))
    .flatMap((file) => ownUrl(file.getAttribute('url'), page) ?? [])
}

/** Whether an entry of the feed is the episode of this page: by its address, or by its sound. */
function isAbout(item: Element, page: Document, sounds: ReadonlySet<string>): boolean {
  const link = ownUrl(item.getElementsByTagName('link')[0]?.textContent?.trim() ?? null, page)
  const sound = item.getElementsByTagName('enclosure')[0]?.getAttribute('url') ?? ''
  return (link !== null && link.href === ownUrl(page.URL, page)?.href) || sounds.has(sound)
}

/** Null for an address of another origin, which the page may not read. */
function ownUrl(address: string | null, page: Document): URL | null {
  if (!address || !URL.canParse(address, page.baseURI)) return null
  const url = new URL(address, page.baseURI)
  url.hash = ''
  return /^https?:$/.test(url.protocol) && url.origin === new URL(page.URL).origin ? url : null
}

/** A redirect could lead to another origin: it is not followed. Null for what cannot be had, or is too large. */
async function textAt(url: URL, page: Document, signal: AbortSignal): Promise<string | null> {
  if (url.origin !== new URL(page.URL).origin) return null
  try {
    const answer = await fetch(url, { mode: 'same-origin', credentials: 'same-origin', redirect: 'error', signal })
    return answer.ok && answer.body ? await wordsInAnswer(answer.body) : null
  } catch {
    return null
  }
}

async function wordsInAnswer(body: ReadableStream<Uint8Array>): Promise<string | null> {
  const [reader, decoder] = [body.getReader(), new TextDecoder()]
  let [text, bytes] = ['', 0]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.length
    if (bytes > FILE_BYTES) {
      await reader.cancel()
      return null
    }
    text += decoder.decode(value, { stream: true })
  }
}
