// Numbers of a whole page that the features of its blocks are compared with.
import type { Block, Box, Layout } from '../blocks/blocks'

/** The sums over the blocks before each place, and over all of them in the last one. */
type Sums = Float64Array

export interface PageShape extends Layout {
  title: ReadonlySet<string>
  /** Words, and of them those in sentences and in links. */
  words: Sums
  prose: Sums
  linked: Sums
  total: number
  /** Blocks of many words in sentences. */
  isLong: boolean[]
  /** Level of the heading that a block is, or 0. */
  levels: number[]
  /** How many blocks have the same text, and which is the first. */
  copies: ReadonlyMap<string, { count: number; first: number }>
  /** The box with most sentences right below it, with how many stand there. */
  core: Box | null
  coreWords: number
  /** How far out each box around the core, and around the longest sentence, is. */
  aroundCore: ReadonlyMap<Box, number>
  aroundLongest: ReadonlyMap<Box, number>
  elements: ReadonlyMap<string, number>
  siblings: ReadonlyMap<Element, Siblings>
  images: ReadonlyMap<Element, number>
}

/** What stands before an element within its parent: all elements, and those made like it. */
interface Siblings {
  before: number
  alikeBefore: number
}

const LONG_WORDS = 15
/** Yield only after so many boxes: a pause takes time too. */
const PAUSE = 16
/** How much a sentence counts for the boxes around it, from its own box outwards. */
const SHARES_OF_CORE = [0, 1, 0.6, 0.35]
const LEVELS: Readonly<Record<string, number>> = { H1: 1, H2: 2, H3: 3, H4: 4, H5: 5, H6: 6 }
/** A heading may hold a link or a span, not a section. */
const LEVEL_DEPTH = 6
/** No layout of people is deeper; a hostile page may be. */
const CHAIN_MOST = 40

/** Yields wherever it may be interrupted. */
export function* shapeOf(layout: Layout, title: readonly string[]): Generator<undefined, PageShape> {
  const { blocks, boxes } = layout
  const isProse = blocks.map(({ isSentence, linkShare }) => isSentence && linkShare < 0.5)
  const words = sumsOf(blocks, ({ words }) => words)
  const prose = sumsOf(blocks, ({ words }, index) => (isProse[index] ? words : 0))
  yield
  const { core, coreWords } = coreOf(blocks, isProse)
  yield
  return {
    ...layout,
    title: new Set(title),
    words,
    prose,
    linked: sumsOf(blocks, ({ words, linkShare }) => words * linkShare),
    total: Math.max(1, words.at(-1) ?? 0),
    isLong: blocks.map(({ words }, index) => isProse[index] === true && words >= LONG_WORDS),
    levels: blocks.map(levelOf),
    copies: copiesOf(blocks),
    core,
    coreWords,
    aroundCore: depthsAround(core),
    aroundLongest: depthsAround(longestOf(blocks, isProse)?.inner ?? null),
    elements: countsOf(boxes),
    siblings: yield* siblingsOf(boxes),
    images: imagesIn(boxes.at(-1)?.element),
  }
}

function sumsOf(blocks: readonly Block[], value: (block: Block, index: number) => number): Sums {
  const sums = new Float64Array(blocks.length + 1)
  blocks.forEach((block, index) => (sums[index + 1] = (sums[index] ?? 0) + value(block, index)))
  return sums
}

/** The boxes around a block from the innermost outwards, as far as they are looked at. */
export function chainOf(box: Box): Box[] {
  const chain: Box[] = []
  for (let around: Box | null = box; around && chain.length < CHAIN_MOST; around = around.parent) chain.push(around)
  return chain
}

function levelOf({ inner }: Block): number {
  let around: Box | null = inner
  for (let count = 0; around && count < LEVEL_DEPTH; count++, around = around.parent) {
    const { tagName } = around.element
    const level = LEVELS[tagName] ?? (around.element.getAttribute('role') === 'heading' ? 3 : 0)
    if (level > 0) return level
  }
  return 0
}

function copiesOf(blocks: readonly Block[]): PageShape['copies'] {
  const copies = new Map<string, { count: number; first: number }>()
  for (const [index, { text }] of blocks.entries()) {
    const copy = copies.get(text)
    if (copy) copy.count++
    else copies.set(text, { count: 1, first: index })
  }
  return copies
}

function coreOf(blocks: readonly Block[], isProse: readonly boolean[]): { core: Box | null; coreWords: number } {
  const below = new Map<Box, number>()
  for (const [index, { box, words }] of blocks.entries()) {
    if (!isProse[index]) continue
    let around: Box | null = box
    for (const share of SHARES_OF_CORE) {
      if (!around) break
      below.set(around, (below.get(around) ?? 0) + words * share)
      around = around.parent
    }
  }
  let best: { core: Box | null; coreWords: number } = { core: null, coreWords: 0 }
  for (const [core, coreWords] of below) if (!best.core || coreWords > best.coreWords) best = { core, coreWords }
  return best
}

function longestOf(blocks: readonly Block[], isProse: readonly boolean[]): Block | undefined {
  let longest: Block | undefined
  let most = -1
  for (const [index, block] of blocks.entries()) {
    const weight = (isProse[index] ? block.words : 0) + 0.01 * block.words
    if (weight > most) [longest, most] = [block, weight]
  }
  return longest
}

function depthsAround(box: Box | null): Map<Box, number> {
  return new Map(box ? chainOf(box).map((around, depth) => [around, depth]) : [])
}

function countsOf(boxes: readonly Box[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { element } of boxes) counts.set(element.tagName, (counts.get(element.tagName) ?? 0) + 1)
  return counts
}

function* siblingsOf(boxes: readonly Box[]): Generator<undefined, Map<Element, Siblings>> {
  const siblings = new Map<Element, Siblings>()
  for (const [index, { element }] of boxes.entries()) {
    if (index % PAUSE === 0) yield
    if (element.childElementCount === 0) continue
    const kinds = new Map<string, number>()
    let before = 0
    for (let child = element.firstElementChild; child; child = child.nextElementSibling) {
      const kind = `${child.tagName} ${child.className}`
      const alikeBefore = kinds.get(kind) ?? 0
      siblings.set(child, { before: before++, alikeBefore })
      kinds.set(kind, alikeBefore + 1)
    }
  }
  return siblings
}

/** The number of pictures within each element. */
function imagesIn(body: Element | undefined): Map<Element, number> {
  const counts = new Map<Element, number>()
  for (const image of body?.getElementsByTagName('img') ?? []) {
    let around = image.parentElement
    for (let level = 0; around && level < CHAIN_MOST; level++, around = around.parentElement)
      counts.set(around, (counts.get(around) ?? 0) + 1)
  }
  return counts
}
