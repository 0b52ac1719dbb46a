// Features of each block of a page: numbers by which the learned choice tells content from the rest.
import { wordsOf, type Layout } from '../blocks/blocks'
import { noteBoxes, noteRecords, recordsOf } from './box_features'
import { headingsOf, noteHeadings, type Headings } from './heading_features'
import { notePage, noteText, type Note } from './own_features'
import { shapeOf } from './page_shape'
import { longSentencesOf, noteNeighbours, notePlace } from './place_features'
import { BoxNames, wordsOfBlock, WordNotes, type BlockWords, type Votes } from './word_features'

/** Yield only after so many blocks: a pause takes time too. */
const PAUSE = 8

export interface Features {
  /** Notes the features that all blocks share. */
  page: (note: Note) => void
  /** Notes those of a block, without those of words. */
  block: (index: number, note: Note) => void
  headings: Headings
  wordsOf: (index: number) => BlockWords
}

/** Yields wherever it may be interrupted. */
export function* featuresOf(layout: Layout, title: string): Generator<undefined, Features> {
  const shape = yield* shapeOf(layout, wordsOf(title))
  const headings = headingsOf(shape)
  yield
  const records = recordsOf(shape)
  yield
  const long = longSentencesOf(shape)
  const names = new BoxNames()
  return {
    headings,
    wordsOf: (index) => wordsOfBlock(layout.blocks, index, names, headings),
    page: (note) => {
      notePage(shape, note)
    },
    block: (index, note) => {
      noteText(shape, index, note)
      notePlace(shape, index, long, note)
      noteNeighbours(shape, index, note)
      noteHeadings(shape, index, headings, note)
      noteBoxes(shape, index, note)
      noteRecords(shape, index, records, note)
    },
  }
}

/**
 * A row of numbers for each block, in the order of `names`. Numbers are those of 32 bits, as in the fit. Yields
 * wherever it may be interrupted.
 */
export function* rowsOf(
  layout: Layout,
  title: string,
  names: readonly string[],
  votes: Votes,
): Generator<undefined, Float32Array[]> {
  const place = new Map(names.map((name, index) => [name, index]))
  const features = yield* featuresOf(layout, title)
  const words = new WordNotes(layout.blocks, votes)
  let row = new Float32Array(names.length)
  const note: Note = (name, value) => {
    const index = place.get(name)
    if (index !== undefined) row[index] = value
  }
  features.page(note)
  const ofPage = row
  const rows: Float32Array[] = []
  for (const index of layout.blocks.keys()) {
    row = ofPage.slice()
    features.block(index, note)
    words.note(index, features.headings, note)
    rows.push(row)
    if (index % PAUSE === 0) yield
  }
  return rows
}
