// Videos in a list, on any site with video addresses like YouTube's. Everything is read from the visible text, because
// sites often rename their elements.
import { urlToTell, webUrl } from '../../grants/hosts'
import type { Video, Videos } from '../../protocol.gen'
import { absoluteUrl } from '../links'
import { oneLine } from '../plain_text'
import { visibleDocument } from '../visibility/visible_copy'
import { inSlices } from '../slices'
import { textOf } from '../blocks/text_of'

const MOST_VIDEOS = 20
const TITLE_CHARACTERS = 300
const CHANNEL_CHARACTERS = 120
const CHANNEL_PATH = /^\/(@|channel\/|c\/|user\/)/
const LENGTH = /^(\d{1,3}):([0-5]\d)(?::([0-5]\d))?$/
const VIEWS =
  /^([\d.,\u00A0\u202F ]+)(k|m|b|tsd\.?|mio\.?|mrd\.?|mil|mill?\.?)?\s*(de )?(views|view|aufrufe|vues|visualizaciones|visualizzazioni|weergaven)(?=\s|$)/i
const THOUSANDS: Record<string, number> = { k: 1e3, tsd: 1e3, mil: 1e3, m: 1e6, mio: 1e6, mill: 1e6, b: 1e9, mrd: 1e9 }

export async function extractVideos(page: Document): Promise<Videos> {
  return { url: page.URL, videos: videosIn(await inSlices(visibleDocument(page)), page) }
}

/** Whether the address is that of one video's page. */
export function isVideoAddress(address: string): boolean {
  const url = webUrl(address)
  return url !== null && url.pathname === '/watch' && (url.searchParams.get('v') ?? '') !== ''
}

/** `visible` holds only visible elements. Pictures are taken from the page itself. */
export function videosIn(visible: Document, page: Document): Video[] {
  const byAddress = new Map<string, Element[]>()
  for (const anchor of visible.querySelectorAll('a[href]')) {
    const address = videoAddress(anchor.getAttribute('href'), page.baseURI)
    if (address) byAddress.set(address, [...(byAddress.get(address) ?? []), anchor])
  }
  const anchors = [...byAddress.values()]
  return [...byAddress].flatMap(([url, own]) => videoOf(url, own, anchors, page)).slice(0, MOST_VIDEOS)
}

/** Without playlist and time, so that one video has one address. */
function videoAddress(href: string | null, base: string): string | null {
  const address = absoluteUrl(href, base)
  if (!address || !isVideoAddress(address)) return null
  const url = new URL(address)
  url.search = `?v=${encodeURIComponent(url.searchParams.get('v') ?? '')}`
  return urlToTell(url)
}

function videoOf(url: string, own: readonly Element[], all: readonly Element[][], page: Document): Video[] {
  const title = longest(own.map((anchor) => oneLine(anchor.textContent ?? '')).filter((text) => !LENGTH.test(text)))
  const box = boxOf(own[0] as Element, own, all)
  if (!title) return []
  const lines = textOf(box)
    .split('\n')
    .map((line) => oneLine(line.replace(/^- /, '')))
  const pieces = lines.flatMap((line) => line.split(/ [•·|] /))
  return [
    {
      title: title.slice(0, TITLE_CHARACTERS),
      url,
      channel: channelIn(box, page.baseURI).slice(0, CHANNEL_CHARACTERS),
      ...optional('seconds', firstParsed(pieces, secondsOf)),
      ...optional('views', firstParsed(pieces, viewsOf)),
      ...optional('thumbnail', thumbnailOf(url, page)),
    },
  ]
}

/** The largest element around the links of a video without another video. */
function boxOf(anchor: Element, own: readonly Element[], all: readonly Element[][]): Element {
  const others = all.filter((anchors) => anchors !== own).flat()
  let box = anchor
  for (let parent = anchor.parentElement; parent && parent.tagName !== 'BODY'; parent = parent.parentElement) {
    const holder = parent
    if (others.some((other) => holder.contains(other))) break
    box = holder
  }
  return box
}

function channelIn(box: Element, base: string): string {
  const anchors = [...box.querySelectorAll('a[href]')].filter((anchor) => {
    const address = absoluteUrl(anchor.getAttribute('href'), base)
    return address !== null && CHANNEL_PATH.test(new URL(address).pathname)
  })
  return longest(anchors.map((anchor) => oneLine(anchor.textContent ?? '')))
}

function thumbnailOf(url: string, page: Document): string | null {
  const video = new URL(url).searchParams.get('v') ?? ''
  const anchors = [...page.querySelectorAll(`a[href*=${JSON.stringify(video)}]`)]
  const picture = anchors.map((anchor) => anchor.querySelector('img[src]')).find((image) => image !== null)
  return absoluteUrl(picture?.getAttribute('src') ?? null, page.baseURI)
}

/** "12:34" or "1:02:03". */
export function secondsOf(text: string): number | null {
  const [, first = '', second = '', third] = LENGTH.exec(text.trim()) ?? []
  if (first === '') return null
  return third === undefined
    ? Number(first) * 60 + Number(second)
    : Number(first) * 3600 + Number(second) * 60 + Number(third)
}

/** "1.2M views", "12,345 views 3 years ago", "1.234 Aufrufe". */
export function viewsOf(text: string): number | null {
  const [, digits = '', word = ''] = VIEWS.exec(text.trim()) ?? []
  const times = THOUSANDS[word.toLowerCase().replace('.', '')]
  if (digits.trim() === '') return null
  if (times === undefined) return whole(digits.replace(/[^\d]/g, ''))
  return whole(String(Math.round(Number(digits.trim().replace(',', '.')) * times)))
}

function whole(digits: string): number | null {
  const number = Number(digits)
  return digits !== '' && Number.isSafeInteger(number) && number < 1e12 ? number : null
}

function firstParsed<Value>(texts: readonly string[], parse: (text: string) => Value | null): Value | null {
  for (const text of texts) {
    const value = parse(text)
    if (value !== null) return value
  }
  return null
}

function longest(texts: readonly string[]): string {
  return texts.reduce((best, text) => (text.length > best.length ? text : best), '')
}

function optional<Name extends string, Value>(name: Name, value: Value | null): Partial<Record<Name, Value>> {
  return value === null ? {} : ({ [name]: value } as Record<Name, Value>)
}
