// What is said in the recordings of a page, with the times. From the captions of its players, else from files of the
// page.
import { TEXT_CHARACTERS } from '../plain_text'
import type { Work } from '../slices'
import { HEADING, linesOf, type Cue } from './cues'
import { cuesOfFiles } from './linked_files'
import { cuesOfMedia } from './text_tracks'

/** For all of it: a page without its transcript is better than a page that is late. */
export const WAIT_MS = 2_500
const MARKS = /^\[[\d:]+\] /gm

/** Return the cues of a page, or none. Nothing is asked of the network for a page without media. */
export async function cuesOfPage(page: Document, visible: Document): Promise<Cue[]> {
  if (!page.querySelector('video, audio')) return []
  const signal = AbortSignal.timeout(WAIT_MS)
  const cues = await cuesOfMedia(page, signal)
  if (cues.length > 0 || signal.aborted) return inOrder(cues)
  return inOrder(await cuesOfFiles(page, visible, signal))
}

/** `words`: without the times. */
interface Below {
  text: string
  words: string
  isCut: boolean
}

/** The transcript comes last and takes what room the page's own text leaves. */
export function* transcriptBelow(text: string, cues: readonly Cue[]): Work<Below> {
  if (cues.length === 0) return { text: '', words: '', isCut: false }
  const above = `${text === '' ? '' : '\n\n'}${HEADING}\n\n`
  const { lines, isCut } = yield* linesOf(cues, TEXT_CHARACTERS - Array.from(text).length - above.length)
  const section = lines.join('\n')
  return { text: section && above + section, words: section.replace(MARKS, ''), isCut }
}

function inOrder(cues: readonly Cue[]): Cue[] {
  return cues.filter(({ start_s }) => Number.isFinite(start_s)).toSorted((a, b) => a.start_s - b.start_s)
}
