// @vitest-environment page
// jsdom has no layout and no captions: players have a box and tracks here. Real ones are tried by the e2e tests.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TEXT_CHARACTERS } from '../plain_text'
import { atOnce } from '../slices'
import { coverSecrets } from '../../vault/cover_secrets'
import { cuesOfPage, transcriptBelow, WAIT_MS } from './transcript'

interface FakeTrack {
  kind: string
  language: string
  mode: string
  cues: { startTime: number; text: string }[] | null
}

const ADDRESS = 'https://pod.example/episodes/1'
const VTT = 'WEBVTT\n\n00:04.000 --> 00:06.000\nNine bars.\n'
const CUES = [{ start_s: 4, text: 'Nine bars.' }]
let requests: string[] = []
let files: Record<string, string> = {}

function pageWith(body: string, head = '', lang = 'en'): Document {
  const page = new DOMParser().parseFromString(
    `<html lang="${lang}"><base href="${ADDRESS}">${head}<body>${body}`,
    'text/html',
  )
  Object.defineProperty(page, 'URL', { value: ADDRESS })
  for (const media of page.querySelectorAll<HTMLMediaElement>('video, audio')) {
    media.checkVisibility = () => !media.hidden
    media.getBoundingClientRect = () => new DOMRect(0, 0, 300, 200)
    Object.defineProperty(media, 'textTracks', { value: [] })
  }
  return page
}

/** `whenHidden`: what the browser does with a track that is to be loaded. */
function addTrack(page: Document, track: Partial<FakeTrack>, whenHidden?: (element: Element) => void): FakeTrack {
  const media = page.querySelector('video, audio') as HTMLMediaElement
  const element = page.createElement('track')
  const whole: FakeTrack = { kind: 'captions', language: 'en', mode: 'disabled', cues: null, ...track }
  let { mode } = whole
  Object.defineProperty(whole, 'mode', {
    get: () => mode,
    set: (value: string) => {
      mode = value
      if (value === 'hidden') whenHidden?.(element)
    },
  })
  Object.defineProperty(element, 'track', { value: whole })
  Object.defineProperty(element, 'readyState', { get: () => (whole.cues ? 2 : 0) })
  media.append(element)
  ;(media.textTracks as unknown as FakeTrack[]).push(whole)
  return whole
}

const read = (page: Document) => cuesOfPage(page, page)

beforeEach(() => {
  requests = []
  files = {}
  vi.stubGlobal('fetch', (url: URL, { redirect }: RequestInit) => {
    requests.push(`${url.href} ${redirect}`)
    const file = files[url.href]
    return Promise.resolve(new Response(file ?? null, { status: file === undefined ? 404 : 200 }))
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the captions of a player', () => {
  it('are read where they are loaded, and no file is fetched', async () => {
    const page = pageWith('<video></video><a href="/t.vtt">Transcript</a>')
    addTrack(page, {
      cues: [
        { startTime: 9, text: 'Late' },
        { startTime: 4, text: '<i>Nine</i> bars.' },
      ],
      mode: 'showing',
    })
    expect(await read(page)).toEqual([...CUES, { start_s: 9, text: 'Late' }])
    expect(requests).toEqual([])
  })

  it('are loaded by the browser, and switched off again', async () => {
    const page = pageWith('<video></video>')
    const track = addTrack(page, {}, (element) => {
      setTimeout(() => {
        track.cues = [{ startTime: 4, text: 'Nine bars.' }]
        element.dispatchEvent(new Event('load'))
      })
    })
    expect(await read(page)).toEqual(CUES)
    expect(track.mode).toBe('disabled')
  })

  it('are left out where they never load, in time', async () => {
    const page = pageWith('<video></video>')
    const track = addTrack(page, {})
    const start = performance.now()
    expect(await read(page)).toEqual([])
    expect(performance.now() - start).toBeLessThan(WAIT_MS + 1_000)
    expect(track.mode).toBe('disabled')
  })

  it.each([
    ['en', { language: 'en-GB' }, 1],
    ['en', { language: 'de' }, 0],
    ['en', { language: '' }, 1],
    ['', { language: 'de' }, 1],
    ['en', { language: 'de', mode: 'showing' }, 1],
    ['en', { kind: 'metadata' }, 0],
    ['en', { kind: 'chapters' }, 0],
  ])('are those of the page’s language: %s %o', async (lang, track, count) => {
    const page = pageWith('<video></video>', '', lang)
    addTrack(page, { cues: [{ startTime: 4, text: 'Nine bars.' }], ...track })
    expect((await read(page)).length).toBe(count)
  })

  it('are not read where nobody can see the player', async () => {
    const page = pageWith('<video hidden></video>')
    addTrack(page, { cues: [{ startTime: 4, text: 'Nine bars.' }], mode: 'showing' })
    expect(await read(page)).toEqual([])
  })
})

const FEED_LINK = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
const feedWith = (item: string) =>
  `<rss xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><item><link>/episodes/0</link></item>
   <item>${item}</item></channel></rss>`

describe('the transcript files of a podcast', () => {
  it('are those to which a page with a recording links', async () => {
    files['https://pod.example/t.vtt'] = VTT
    expect(await read(pageWith('<audio controls></audio><a href="/t.vtt#a">Transcript</a>'))).toEqual(CUES)
    expect(requests).toEqual(['https://pod.example/t.vtt error'])
  })

  it('are those that the feed names for the episode', async () => {
    files['https://pod.example/feed.xml'] = feedWith(
      `<link>${ADDRESS}</link><podcast:transcript url="/1.html" type="text/html"/>
       <podcast:transcript url="/1.de.vtt" type="text/vtt" language="de"/><podcast:transcript url="/1.vtt" type="text/vtt"/>`,
    )
    files['https://pod.example/1.vtt'] = VTT
    expect(await read(pageWith('<audio></audio>', FEED_LINK))).toEqual(CUES)
    expect(requests).toEqual(['https://pod.example/feed.xml error', 'https://pod.example/1.vtt error'])
  })

  it('are found by the sound as well', async () => {
    files['https://pod.example/feed.xml'] = feedWith(
      `<enclosure url="https://cdn.example/1.mp3"/><podcast:transcript url="/1.srt" type="application/x-subrip"/>`,
    )
    files['https://pod.example/1.srt'] = '1\n00:00:04,000 --> 00:00:06,000\nNine bars.\n'
    expect(await read(pageWith('<audio src="https://cdn.example/1.mp3"></audio>', FEED_LINK))).toEqual(CUES)
  })

  it.each([
    ['a page without a recording', '<a href="/t.vtt">Transcript</a>', FEED_LINK],
    ['another origin', '<audio></audio><a href="https://cdn.example/t.vtt">Transcript</a>', ''],
    ['another scheme', '<audio></audio><a href="file:///etc/t.vtt">T</a><a href="data:text/vtt,x.vtt">T</a>', ''],
    ['a feed of another origin', '<audio></audio>', FEED_LINK.replace('/feed', 'https://cdn.example/feed')],
  ])('are not fetched: %s', async (_, body, head) => {
    expect(await read(pageWith(body, head))).toEqual([])
    expect(requests).toEqual([])
  })

  it('are not fetched where the feed names another origin', async () => {
    files['https://pod.example/feed.xml'] = feedWith(
      `<link>${ADDRESS}</link><podcast:transcript url="https://evil.example/1.vtt" type="text/vtt"/>`,
    )
    expect(await read(pageWith('<audio></audio>', FEED_LINK))).toEqual([])
    expect(requests).toEqual(['https://pod.example/feed.xml error'])
  })

  it('are left out where they are too large', async () => {
    files['https://pod.example/t.vtt'] = VTT + 'x'.repeat(2_000_001)
    expect(await read(pageWith('<audio></audio><a href="/t.vtt">Transcript</a>'))).toEqual([])
  })
})

describe('the transcript below the text of a page', () => {
  const long = Array.from({ length: 10_000 }, (_, at) => ({
    start_s: at * 30,
    text: `Cue number ${at} of a long film.`,
  }))

  it('is a section of its own', () => {
    expect(atOnce(transcriptBelow('# Levers', CUES))).toEqual({
      text: '\n\n## Transcript\n\n[0:04] Nine bars.',
      words: 'Nine bars.',
      isCut: false,
    })
    expect(atOnce(transcriptBelow('', CUES)).text).toBe('## Transcript\n\n[0:04] Nine bars.')
    expect(atOnce(transcriptBelow('# Levers', []))).toEqual({ text: '', words: '', isCut: false })
  })

  it('takes only the room that the text leaves', () => {
    const text = 'w'.repeat(TEXT_CHARACTERS - 1_000)
    const below = atOnce(transcriptBelow(text, long))
    expect(below.isCut).toBe(true)
    expect(below.text).toContain('[0:30] Cue number 1')
    expect(text.length + below.text.length).toBeLessThanOrEqual(TEXT_CHARACTERS)
    expect(atOnce(transcriptBelow('w'.repeat(TEXT_CHARACTERS), long))).toEqual({ text: '', words: '', isCut: true })
  })
})

describe('a transcript that is kept', () => {
  it('has its secrets covered as the text of its page has', () => {
    const { text } = atOnce(
      transcriptBelow('# Bank', [{ start_s: 4, text: 'Pay to DE89 3704 0044 0532 0130 00, please.' }]),
    )
    const page = { url: ADDRESS, title: '', text, extracted_with: 'heuristics', truncated: false } as const
    const covered = coverSecrets({ ...page, links: [] })
    expect([covered.page.text, covered.masked]).toEqual(['\n\n## Transcript\n\n[0:04] Pay to ▮, please.', 1])
  })
})
