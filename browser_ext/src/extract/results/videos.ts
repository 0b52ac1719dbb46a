// Videos in a list, on any site with video addresses like one of YouTube's. Everything is read from the visible text,
// because sites often rename their elements.
import { urlToTell } from '../../grants/hosts'
import type { Video, Videos } from '../../protocol.gen'
import { absoluteUrl } from '../links'
import { oneLine } from '../plain_text'
import { visibleDocument } from '../visibility/visible_copy'
import { inSlices } from '../slices'
import { textOf } from '../blocks/text_of'
import { videoUrl } from './video_address'
import { secondsOf, viewsOf } from './video_numbers'

const MOST_VIDEOS = 20
const TITLE_CHARACTERS = 300
const CHANNEL_CHARACTERS = 120
const HEADING = 'h1, h2, h3, h4, [role="heading"]'
const CHANNEL_PATH = /^\/(@|channel\/|c\/|user\/)/
const BEGINS_WITH_LENGTH = /^\d{1,3}:[0-5]\d(?!\d)/
export async function extractVideos(page: Document): Promise<Videos> {
  return { url: page.URL, videos: videosIn(await inSlices(visibleDocument(page)), page) }
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

function videoAddress(href: string | null, base: string): string | null {
  const url = videoUrl(absoluteUrl(href, base) ?? '')
  return url ? urlToTell(url) : null
}

function videoOf(url: string, own: readonly Element[], all: readonly Element[][], page: Document): Video[] {
  const title = titleOf(own)
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

/** The words of a link in a heading, else the longest. Those of a picture say its length, and more that is no title. */
function titleOf(anchors: readonly Element[]): string {
  const headings = anchors.filter((anchor) => anchor.closest(HEADING) ?? anchor.querySelector(HEADING))
  const [inHeadings, all] = [headings, anchors].map((list) =>
    list.map((anchor) => oneLine(anchor.textContent ?? '')).filter((text) => secondsOf(text) === null),
  ) as [string[], string[]]
  return longest(inHeadings) || longest(all.filter((text) => !BEGINS_WITH_LENGTH.test(text))) || longest(all)
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
