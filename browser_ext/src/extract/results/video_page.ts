// The page of one video as text: title, channel, length, views, description, chapters, comments and transcript. Works
// on sites whose pages are built like YouTube's, from visible text only.
import { oneLine } from '../plain_text'
import { textOf } from '../blocks/text_of'
import { CUES_MOST, type Cue } from '../transcript/cues'
import { isVideoAddress } from './video_address'
import { secondsOf, viewsOf } from './video_numbers'

const COMMENTS_MOST = 20
const CHAPTERS_MOST = 100
const COMMENT_CHARACTERS = 600
// In the visible copy, `is` names a former custom element.
const TITLE = '[is="ytd-watch-metadata"] h1, #title h1, h1'
const CHANNEL = '[is="ytd-channel-name"] a, #upload-info a, #channel-name a'
const LENGTH = '.ytp-time-duration'
const VIEWS = '[is="ytd-watch-info-text"], #info-container, #info, #count'
const DESCRIPTION = '#description-inline-expander, [is="ytd-text-inline-expander"], #description'
const SEGMENT = '[is="ytd-transcript-segment-renderer"], [is="transcript-segment-view-model"]'
const SEGMENT_WORDS = '[is="yt-formatted-string"], span'
const CHAPTER = '[is="ytd-macro-markers-list-item-renderer"]'
const COMMENT = '[is="ytd-comment-thread-renderer"]'
const COMMENT_WORDS = '#content-text'

/** `text`: all but a transcript with times. `spoken`: the words of that transcript as they are shown. */
export interface VideoPage {
  text: string
  spoken: string[]
  cues: Cue[]
}

/** Return the text of a video page, or null for another page: one that shows a title and no part that videos have.
 * `visible` holds only visible elements. */
export function videoPage(visible: Document, url: string): VideoPage | null {
  const title = lineOf(visible, TITLE)
  if (!isVideoAddress(url) || !title) return null
  const length = lineOf(visible, LENGTH)
  const views = linesIn(visible, VIEWS).find((line) => viewsOf(line) !== null) ?? ''
  const facts = [
    factLine('Channel', lineOf(visible, CHANNEL)),
    factLine('Length', secondsOf(length) === null ? '' : length),
    factLine('Views', views),
  ].filter(Boolean)
  const parts = [
    facts.join('\n'),
    section('Description', textIn(visible, DESCRIPTION)),
    section('Chapters', chaptersOf(visible)),
    section('Comments', commentsOf(visible)),
  ].filter(Boolean)
  const segments = segmentsOf(visible)
  const cues = segments.flatMap(({ start_s, text }) => (start_s === null ? [] : { start_s, text }))
  const words = segments.map(({ text }) => text)
  // without times it is a part like the others
  if (cues.length === 0 && words.length > 0) parts.push(section('Transcript', words.join(' ')))
  return parts.length + cues.length > 0
    ? { text: [`# ${title}`, ...parts].join('\n\n'), spoken: cues.length > 0 ? words : [], cues }
    : null
}

/** Each once: the page shows them below the description and in a panel. */
function chaptersOf(visible: Document): string {
  const chapters = [...visible.querySelectorAll(CHAPTER)].map((chapter) => {
    const name = oneLine(chapter.querySelector('h4, h3, .macro-markers')?.textContent ?? '')
    const time = oneLine(chapter.querySelector('#time, .time, time')?.textContent ?? '')
    return name && time ? `- ${time} ${name}` : ''
  })
  return [...new Set(chapters.filter(Boolean))].slice(0, CHAPTERS_MOST).join('\n')
}

function segmentsOf(visible: Document): { start_s: number | null; text: string }[] {
  const segments = [...visible.querySelectorAll(SEGMENT)].slice(0, CUES_MOST).map((segment) => {
    const parts = [...segment.querySelectorAll('*')].filter((part) => part.childElementCount === 0)
    const time = parts.find((part) => secondsOf(part.textContent ?? '') !== null)
    const words = segment.querySelector('.segment-text') ?? wordsBeside(time, segment)
    return { start_s: secondsOf(time?.textContent ?? ''), text: oneLine(words.textContent ?? '') }
  })
  return segments.filter(({ text }) => text !== '')
}

function wordsBeside(time: Element | undefined, segment: Element): Element {
  return (
    [...segment.querySelectorAll(SEGMENT_WORDS)].find((words) => words !== time && !words.contains(time ?? null)) ??
    segment
  )
}

function commentsOf(visible: Document): string {
  const threads = [...visible.querySelectorAll(COMMENT)].slice(0, COMMENTS_MOST)
  const comments = threads.map((thread) =>
    oneLine(thread.querySelector(COMMENT_WORDS)?.textContent ?? '').slice(0, COMMENT_CHARACTERS),
  )
  return comments
    .filter(Boolean)
    .map((comment) => `- ${comment}`)
    .join('\n')
}

function lineOf(visible: Document, selector: string): string {
  return oneLine(visible.querySelector(selector)?.textContent ?? '')
}

function textIn(visible: Document, selector: string): string {
  const element = visible.querySelector(selector)
  return element ? textOf(element) : ''
}

function linesIn(visible: Document, selector: string): string[] {
  return [...visible.querySelectorAll(selector)]
    .flatMap((element) => textOf(element).split(/\n| {2,}| [•·] /))
    .map(oneLine)
}

function factLine(name: string, value: string): string {
  return value ? `${name}: ${value}` : ''
}

function section(name: string, value: string): string {
  return value ? `## ${name}\n\n${value}` : ''
}
