// Features of where a block stands on the page: before and after what, and between which neighbours.
import { between, type Note } from './own_features'
import type { PageShape } from './page_shape'

const WINDOWS = [5, 12, 30].map((radius) => ({
  radius,
  sentences: `within ${radius}, sentences`,
  linked: `within ${radius}, linked`,
  words: `within ${radius}, words of a block`,
  before: `${radius} before, sentences`,
  after: `${radius} after, sentences`,
}))
const NEIGHBOURS = [-4, -3, -2, -1, 1, 2, 3, 4].map((offset) => ({
  offset,
  words: `neighbour ${offset}, words`,
  linked: `neighbour ${offset}, linked`,
  level: `neighbour ${offset}, level`,
  sameBox: `neighbour ${offset}, same box`,
}))

/** The nearest blocks of long sentences at and before, at and after each block; -1 for none. */
export interface LongSentences {
  previous: Int32Array
  next: Int32Array
}

export function longSentencesOf({ blocks, isLong }: PageShape): LongSentences {
  const previous = new Int32Array(blocks.length)
  const next = new Int32Array(blocks.length)
  for (let index = 0, nearest = -1; index < blocks.length; index++) {
    if (isLong[index]) nearest = index
    previous[index] = nearest
  }
  for (let index = blocks.length - 1, nearest = -1; index >= 0; index--) {
    if (isLong[index]) nearest = index
    next[index] = nearest
  }
  return { previous, next }
}

export function notePlace(shape: PageShape, index: number, { previous, next }: LongSentences, note: Note): void {
  const { blocks, words, prose, total } = shape
  const all = blocks.length
  const allProse = prose[all] ?? 0
  const [before, after] = [words[index] ?? 0, total - (words[index + 1] ?? 0)]
  note('place', before / total)
  note('place from the end', after / total)
  note('place among the blocks', index / all)
  note('words before', Math.log1p(before))
  note('words after', Math.log1p(Math.max(0, after)))
  note('share of sentences before', (prose[index] ?? 0) / Math.max(1, allProse))
  note('sentences before', Math.log1p(prose[index] ?? 0))
  note('sentences after', Math.log1p(allProse - (prose[index + 1] ?? 0)))
  const [from, to] = [previous[index] ?? -1, next[index] ?? -1]
  note('words from a long sentence', from < 0 ? -1 : Math.log1p(Math.max(0, between(words, from + 1, index))))
  note('words to a long sentence', to < 0 ? -1 : Math.log1p(Math.max(0, between(words, index + 1, to))))
  note('blocks from a long sentence', from < 0 ? -1 : Math.log1p(index - from))
  note('blocks to a long sentence', to < 0 ? -1 : Math.log1p(to - index))
}

export function noteNeighbours(shape: PageShape, index: number, note: Note): void {
  const { blocks, words, prose, linked, levels } = shape
  const own = blocks[index]
  for (const window of WINDOWS) {
    const [first, last] = [Math.max(0, index - window.radius), Math.min(blocks.length, index + window.radius + 1)]
    const share = Math.max(1, between(words, first, last))
    note(window.sentences, between(prose, first, last) / share)
    note(window.linked, between(linked, first, last) / share)
    note(window.words, Math.log1p(share / (last - first)))
    note(window.before, between(prose, first, index) / Math.max(1, between(words, first, index)))
    note(window.after, between(prose, index + 1, last) / Math.max(1, between(words, index + 1, last)))
  }
  for (const names of NEIGHBOURS) {
    const other = blocks[index + names.offset]
    if (!other || !own) continue
    note(names.words, Math.log1p(other.words))
    note(names.linked, other.linkShare)
    note(names.level, levels[index + names.offset] ?? 0)
    note(names.sameBox, Number(other.box.parent === own.box.parent))
  }
}
