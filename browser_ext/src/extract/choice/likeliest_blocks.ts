// Selects the blocks of the content.
import type { Block, Box, Layout } from '../blocks/blocks'

/** Of a table or a list of terms, what is chosen of it decides over the rest, or of what stands around it. */
const WHOLE = new Set(['TABLE', 'DL'])
const WHOLE_SHARE = 0.5
const AMONG_SHARE = 0.8
const WHOLE_WORDS = 2_000
/** More words in a cell on average are those of a table for the layout. */
const CELL_WORDS = 12
const CELLS = new Set(['TD', 'TH'])
const LINKED_SHARE = 0.5
const AROUND = 'nav, header, footer, aside'
const HEADINGS = 'h2, h3, h4, h5, h6'
const CAPTIONS = new Set(['FIGCAPTION', 'CAPTION'])
const CAPTION_LEVELS = 4
/** Of blocks with so many words and the same text, the first is kept: pages repeat them for narrow screens. */
const COPY_WORDS = 8

/**
 * Select the blocks with the highest expected F1 of selected and wanted words. If all blocks are unlikely, the
 * likeliest are kept.
 */
export function likeliestBlocks(layout: Layout, likely: readonly number[]): boolean[] {
  const { blocks } = layout
  const order = blocks.map((_, index) => index).sort((a, b) => (likely[b] ?? 0) - (likely[a] ?? 0))
  const words = (index: number) => blocks[index]?.words ?? 0
  const wantedWords = order.reduce((sum, index) => sum + words(index) * (likely[index] ?? 0), 0)
  let best = { count: 0, score: 0 }
  let takenWords = 0
  let right = 0
  order.forEach((index, place) => {
    takenWords += words(index)
    right += words(index) * (likely[index] ?? 0)
    const score = (2 * right) / (takenWords + wantedWords || 1)
    if (score > best.score) best = { count: place + 1, score }
  })
  const keeps = blocks.map(() => false)
  order.slice(0, best.count).forEach((index) => (keeps[index] = true))
  return withoutCopies(blocks, withHeadings(blocks, withCaptions(blocks, withWholes(layout, withTitle(blocks, keeps)))))
}

/** The text below a title may mean little without it. */
function withTitle(blocks: readonly Block[], keeps: boolean[]): boolean[] {
  const title = blocks.findIndex(({ inner }) => inner.element.closest('h1') && !inner.element.closest(AROUND))
  return title < 0 ? keeps : keeps.with(title, true)
}

/** A heading between two blocks of the content belongs to it. */
function withHeadings(blocks: readonly Block[], keeps: boolean[]): boolean[] {
  return keeps.map(
    (keep, index) =>
      keep ||
      (isHeading(blocks[index]) &&
        keeps[index + 1] === true &&
        keeps.slice(Math.max(0, index - 2), index).includes(true)),
  )
}

function isHeading(block: Block | undefined): boolean {
  return block?.inner.element.closest(HEADINGS) != null
}

function withWholes({ blocks, boxes }: Layout, keeps: boolean[]): boolean[] {
  const whole = [...keeps]
  const until = [0]
  for (const [index, { words }] of blocks.entries()) until.push((until[index] ?? 0) + (keeps[index] ? words : 0))
  const shareOf = ({ first, last, words }: Box) => ((until[last] ?? 0) - (until[first] ?? 0)) / Math.max(1, words)
  let outside = Infinity // of tables within this one, which have come before
  for (const box of boxes) {
    if (!WHOLE.has(box.element.tagName)) continue
    const isOuter = box.first <= outside && outside < box.last
    outside = box.first
    if (isOuter || !isTableOfData(box)) continue
    const isAmongKept = box.parent !== null && shareOf(box.parent) >= AMONG_SHARE
    if (shareOf(box) >= WHOLE_SHARE || isAmongKept) whole.fill(true, box.first, box.last)
  }
  return whole
}

function isTableOfData({ first, last, words, linkedWords }: Box): boolean {
  const isSmall = words > 0 && words <= WHOLE_WORDS
  return isSmall && linkedWords <= LINKED_SHARE * words && words <= CELL_WORDS * (last - first)
}

/** A caption belongs to what stands around it. */
function withCaptions(blocks: readonly Block[], keeps: boolean[]): boolean[] {
  return keeps.map(
    (keep, index) => keep || (isCaption(blocks[index]) && keeps[index - 1] === true && keeps[index + 1] !== false),
  )
}

function isCaption(block: Block | undefined): boolean {
  let around = block?.inner ?? null
  for (let level = 0; around && level < CAPTION_LEVELS; level++, around = around.parent)
    if (CAPTIONS.has(around.element.tagName)) return true
  return false
}

function withoutCopies(blocks: readonly Block[], keeps: readonly boolean[]): boolean[] {
  const texts = new Set<string>()
  return blocks.map(({ text, words }, index) => {
    if (!keeps[index] || words < COPY_WORDS) return keeps[index] === true
    const isFirst = !texts.has(text)
    texts.add(text)
    return isFirst
  })
}

/** Remove the other blocks from the document, and elements that are empty then. Empty cells keep their place. */
export function keepOnly({ blocks, boxes }: Layout, keeps: readonly boolean[]): void {
  const until = [0]
  for (const [index, block] of blocks.entries()) {
    until.push((until.at(-1) ?? 0) + (keeps[index] ? 1 : 0))
    if (!keeps[index]) block.nodes.forEach((node) => node.remove())
  }
  for (const { element, first, last, parent } of boxes) {
    if (parent && last > first && until[first] === until[last] && !CELLS.has(element.tagName)) element.remove()
  }
}
