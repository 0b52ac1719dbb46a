// Features of the headings above a block, and of the title of the page.
import { between, likeTitle, type Note } from './own_features'
import type { PageShape } from './page_shape'

export interface Headings {
  /** Of each block, the headings above it, outermost first. */
  under: number[][]
  /** Of each block, the last heading at or before it, and their number. */
  last: number[]
  count: number[]
  /** How alike each block and the page's title are, and the block that is most alike. */
  titleLikeness: number[]
  title: number
  h1: number
}

export function headingsOf({ blocks, levels, title }: PageShape): Headings {
  const titleLikeness = blocks.map(({ wordList }) => likeTitle(new Set(wordList), title))
  const under: number[][] = []
  const last: number[] = []
  const count: number[] = []
  let open: number[] = []
  let before = 0
  let latest = -1
  for (const [index, level] of levels.entries()) {
    if (level > 0) {
      open = open.filter((heading) => (levels[heading] ?? 0) < level)
      before++
      latest = index
    }
    under.push(open)
    last.push(latest)
    count.push(before)
    if (level > 0) open = [...open, index]
  }
  return { under, last, count, titleLikeness, title: titleBlock(titleLikeness, levels), h1: levels.indexOf(1) }
}

function titleBlock(likeness: readonly number[], levels: readonly number[]): number {
  let best = { index: 0, worth: -Infinity }
  for (const [index, value] of likeness.entries()) {
    const level = levels[index] ?? 0
    const worth = value + (level === 1 ? 0.3 : level > 0 ? 0.1 : 0) - 0.0005 * index
    if (worth > best.worth) best = { index, worth }
  }
  return best.index
}

export function noteHeadings(
  { blocks, words, levels }: PageShape,
  index: number,
  headings: Headings,
  note: Note,
): void {
  const under = headings.under[index] ?? []
  const last = headings.last[index] ?? -1
  const isHeading = (levels[index] ?? 0) > 0
  const innermost = under.at(-1)
  note('words from the heading', isHeading ? 0 : last < 0 ? -1 : Math.log1p(Math.max(0, between(words, last, index))))
  note('level of the heading', isHeading ? 0 : last < 0 ? 9 : (levels[last] ?? 0))
  note('headings before', Math.log1p(headings.count[index] ?? 0))
  note('headings above', under.length)
  note(
    'heading like the title',
    under.reduce((most, above) => Math.max(most, headings.titleLikeness[above] ?? 0), 0),
  )
  note('heading, linked', innermost === undefined ? -1 : (blocks[innermost]?.linkShare ?? 0))
  const { title, h1 } = headings
  const all = blocks.length
  const distance = between(words, Math.min(title, index), Math.max(title, index))
  note('blocks from the title', (index - title) / all)
  note('words from the title', Math.sign(index - title) * Math.log1p(distance))
  note('blocks from the first h1', h1 < 0 ? -2 : (index - h1) / all)
}
