// Lines of a transcript, each with its time: "[12:34] words". The server finds the moment of a passage by them.
import { oneLine } from '../plain_text'
import type { Work } from '../slices'

/** Words and the time at which they begin. */
export interface Cue {
  start_s: number
  text: string
}

export interface Transcript {
  /** In the form of a page's text. */
  lines: string[]
  isCut: boolean
}

export const HEADING = '## Transcript'
export const LINES_MOST = 4_000
export const LINE_CHARACTERS = 300
export const CUES_MOST = 20_000
/** Of the words of all cues. The text of a page has room for half: more is not looked at, which takes long. */
export const WORDS_MOST = 100_000
/** Longer cues are no subtitles. */
export const CUE_CHARACTERS = 2_000
/** A line ends with a sentence, or where it would grow longer or last longer than these. */
const SENTENCE_CHARACTERS = 40
const LINE_SECONDS = 20
const REPEATED_CHARACTERS = 10
const SENTENCE_END = /[.!?…。！？।؟۔]["'”’»)]?$/
const LONGEST_S = 359_999

/** Join cues to lines, up to so many characters in all. The cues are in order. */
export function* linesOf(cues: Iterable<Cue>, room: number): Work<Transcript> {
  const lines: string[] = []
  let [left, count, last] = [room, 0, '']
  let line: Cue | null = null
  const endLine = (): boolean => {
    const words = line ? `${markOf(line.start_s)} ${line.text}` : ''
    line = null
    if (words === '') return true
    if (lines.length === LINES_MOST || words.length + 1 > left) return false
    lines.push(words)
    left -= words.length + 1
    return true
  }
  for (const cue of cues) {
    yield
    if (++count > CUES_MOST) return { lines, isCut: true }
    const whole = oneLine(cue.text.slice(0, CUE_CHARACTERS))
    const text = withoutRepeated(whole, last)
    last = whole || last
    for (const piece of piecesOf(text)) {
      const joined: Cue | null = joinedLine(line, { start_s: cue.start_s, text: piece })
      if (!joined && !endLine()) return { lines, isCut: true }
      line = joined ?? { start_s: cue.start_s, text: piece }
      const isEnded = line.text.length >= SENTENCE_CHARACTERS && SENTENCE_END.test(line.text)
      if (isEnded && !endLine()) return { lines, isCut: true }
    }
  }
  return { lines, isCut: !endLine() }
}

/** "[0:04]", "[12:34]", "[1:02:03]". */
export function markOf(start_s: number): string {
  const whole = Math.min(LONGEST_S, Math.max(0, Math.floor(start_s) || 0))
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (number: number) => String(number).padStart(2, '0')
  return hours > 0 ? `[${hours}:${two(minutes)}:${two(seconds)}]` : `[${minutes}:${two(seconds)}]`
}

function joinedLine(line: Cue | null, next: Cue): Cue | null {
  if (!line) return next
  const text = `${line.text} ${next.text}`
  const isNear = next.start_s >= line.start_s && next.start_s - line.start_s < LINE_SECONDS
  return isNear && text.length <= LINE_CHARACTERS ? { start_s: line.start_s, text } : null
}

/** Captions that roll upwards show each line twice. */
function withoutRepeated(text: string, last: string): string {
  return last.length >= REPEATED_CHARACTERS && text.startsWith(last) ? text.slice(last.length).trim() : text
}

function piecesOf(text: string): string[] {
  const pieces: string[] = []
  for (let rest = text; rest !== '';) {
    const space = rest.length > LINE_CHARACTERS ? rest.lastIndexOf(' ', LINE_CHARACTERS) : -1
    const end = space > 0 ? space : LINE_CHARACTERS
    pieces.push(rest.slice(0, end).toWellFormed())
    rest = rest.slice(end).trim()
  }
  return pieces
}
