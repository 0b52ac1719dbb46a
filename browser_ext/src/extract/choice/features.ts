// Features of each block of a page: numbers by which the learned choice tells content from the rest.
import { wordsOf, type Layout } from '../blocks/blocks'
import { noteBoxes, noteRecords, recordsOf } from './box_features'
import { headingsOf, noteHeadings } from './heading_features'
import { notePage, noteText, type Note } from './own_features'
import { shapeOf } from './page_shape'
import { longSentencesOf, noteNeighbours, notePlace } from './place_features'
import { BoxNames, noteWords, wordsOfBlock, type BlockWords, type Votes } from './word_features'

interface BlockFeatures {
  note: (note: Note) => void
  words: BlockWords
}

/** Yields a function for each block that notes its features without those of words, and its words. */
export function* featuresOf(
  layout: Layout,
  title: string,
  names = new BoxNames(),
): Generator<undefined | BlockFeatures, void> {
  const shape = yield* shapeOf(layout, wordsOf(title))
  const headings = headingsOf(shape)
  yield
  const records = recordsOf(shape)
  const long = longSentencesOf(shape)
  const ofPage: [name: string, value: number][] = []
  notePage(shape, (name, value) => void ofPage.push([name, value]))
  for (const index of layout.blocks.keys()) {
    yield {
      words: wordsOfBlock(layout.blocks, index, names, headings),
      note: (note) => {
        for (const [name, value] of ofPage) note(name, value)
        noteText(shape, index, note)
        notePlace(shape, index, long, note)
        noteNeighbours(shape, index, note)
        noteHeadings(shape, index, headings, note)
        noteBoxes(shape, index, note)
        noteRecords(shape, index, records, note)
      },
    }
  }
}

/**
 * A row of numbers for each block, in the order of `names`. Numbers are those of 32 bits, as in the fit. Yields wherever
 * it may be interrupted.
 */
export function* rowsOf(
  layout: Layout,
  title: string,
  names: readonly string[],
  votes: Votes,
): Generator<undefined, Float32Array[]> {
  const place = new Map(names.map((name, index) => [name, index]))
  const rows: Float32Array[] = []
  const boxNames = new BoxNames((name) => votes.names.has(name))
  for (const features of featuresOf(layout, title, boxNames)) {
    if (features) {
      const row = new Float32Array(names.length)
      const note: Note = (name, value) => {
        const index = place.get(name)
        if (index !== undefined) row[index] = value
      }
      features.note(note)
      noteWords(features.words, votes, note)
      rows.push(row)
    }
    yield
  }
  return rows
}
