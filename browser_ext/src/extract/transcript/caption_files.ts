// Cues of caption files: WebVTT, SubRip, and the JSON of podcasts. Files with mistakes give what can be read of them.
import { CUE_CHARACTERS, CUES_MOST, WORDS_MOST, type Cue } from './cues'

const TIMES = /^\s*((?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3})\s*-->/
const LINE = /([^\r\n]*)(?:\r\n?|\n|$)/g
/** "<v Ada>" names who speaks. All other marks only say how the words look. */
const VOICE = /<v(?:\.[^\s>]{0,40})?\s([^<>]{1,60})>/g
const MARKS = /<[^<>]{0,200}>/g
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '', quot: '"' }

/** The words of a cue without its marks. */
export function wordsOfCue(text: string): string {
  return text
    .replace(VOICE, '$1: ')
    .replace(MARKS, '')
    .replace(/&(amp|lt|gt|nbsp|lrm|rlm|quot);/g, (_, name: string) => ENTITIES[name] ?? '')
}

export function cuesInFile(text: string): Cue[] {
  return text.trimStart().startsWith('{') ? cuesInJson(text) : cuesInBlocks(text)
}

/** Blocks are set apart by empty lines; one without times is a comment, a style or a heading. */
function cuesInBlocks(text: string): Cue[] {
  const cues: Cue[] = []
  let cue: Cue | null = null
  let left = WORDS_MOST
  for (const [, line = ''] of text.matchAll(LINE)) {
    const start = TIMES.exec(line)?.[1]
    if (start !== undefined) {
      if (cues.length === CUES_MOST || left <= 0) break
      cue = { start_s: secondsIn(start), text: '' }
      cues.push(cue)
    } else if (line.trim() === '') cue = null
    else if (cue && cue.text.length < CUE_CHARACTERS) {
      cue.text = `${cue.text} ${line}`.trim().slice(0, CUE_CHARACTERS)
      left -= line.length
    }
  }
  return cues.map(({ start_s, text: words }) => ({ start_s, text: wordsOfCue(words) }))
}

function secondsIn(time: string): number {
  return time
    .replace(',', '.')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0)
}

/** `{ segments: [{ startTime, body, speaker? }] }` */
function cuesInJson(text: string): Cue[] {
  const { segments } = objectIn(text)
  if (!Array.isArray(segments)) return []
  return segments.slice(0, CUES_MOST).flatMap((segment: unknown) => {
    const { startTime, body } = fieldsOf(segment)
    const isCue = typeof startTime === 'number' && startTime >= 0 && typeof body === 'string'
    return isCue ? { start_s: startTime, text: body.slice(0, CUE_CHARACTERS) } : []
  })
}

function objectIn(text: string): Record<string, unknown> {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return {}
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
