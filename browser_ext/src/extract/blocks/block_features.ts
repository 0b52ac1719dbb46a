// Features of a block: named numbers, mostly between 0 and 1. They decide whether the block belongs to the content.
import type { Block, Box, Layout } from './blocks'
import { hintsInWords, type Hint } from './element_hints'

/** A feature of value 0 is absent. */
export type Features = Map<string, number>
type Note = (name: string, value: number) => void

const OUTSIDE_CONTENT: Hint[] = [
  'nav',
  'footer',
  'aside',
  'dialog',
  'named nav',
  'named footer',
  'named side',
  'named consent',
  'named dialog',
]
const HEADINGS = ['h1', 'h2', 'h3', 'h4'] as const
const PRICE = /[$€£¥]\s?\d|\d\s?[€£]/
const HOLDS = 0.7
/** Surrounding boxes of at least so many words, with the names of their features. */
const ROUND = Object.entries({ small: 15, middle: 60, large: 200 }).map(([size, least]) => ({
  least,
  linked: `${size} box, linked`,
  sentences: `${size} box, sentences`,
  inBlock: `${size} box, words in a block`,
  words: `${size} box, words`,
  share: `${size} box, share`,
}))
const NEAR = Object.entries({ '2 before': -2, '1 before': -1, '1 after': 1, '2 after': 2 }).map(([where, offset]) => ({
  offset,
  length: `${where}, length`,
  linked: `${where}, linked`,
  sentence: `${where}, sentence`,
}))

/** Facts of the whole page that a block is compared with. */
interface Whole {
  words: number
  linkShare: number
  sentences: number
  /** For each text, the indexes of its blocks. */
  copies: ReadonlyMap<string, number[]>
  h1: number
  firstSentence: number
  /** The innermost boxes that hold most of the sentences and most of the words outside of navigation and the like. */
  ofSentences: Box | null
  ofWords: Box | null
  hasMain: boolean
  inMain: number
  articles: number
}

/** Yields wherever it may be interrupted. */
export function* featuresOf(layout: Layout): Generator<undefined, Features[]> {
  const whole = wholeOf(layout)
  const sections = sectionsOf(layout.blocks)
  const featuresOfBlocks: Features[] = []
  let before = 0
  for (const [index, block] of layout.blocks.entries()) {
    const features: Features = new Map()
    const note: Note = (name, value) => {
      if (value !== 0) features.set(name, value)
    }
    noteItself(block, index, whole, note)
    noteHints(block, sections[index], note)
    notePlace(index, block, before / Math.max(1, whole.words), whole, note)
    noteAround(block, whole, note)
    noteNeighbours(layout.blocks, index, note)
    notePage(whole, note)
    featuresOfBlocks.push(features)
    before += block.words
    yield
  }
  return featuresOfBlocks
}

function noteItself(
  { text, wordList, words, linkShare, isSentence }: Block,
  index: number,
  { copies }: Whole,
  note: Note,
): void {
  const length = Math.log1p(words)
  const numbers = wordList.filter((word) => /^\p{N}+$/u.test(word)).length
  const { length: count, 0: first } = copies.get(text) ?? [index]
  if (words <= 6) hintsInWords(wordList).forEach((hint) => note(`says ${hint}`, 1))
  note('length', length)
  note('length squared', length ** 2 / 5)
  note('linked', linkShare)
  note('linked, up to 3 words', words <= 3 ? linkShare : 0)
  note('linked, 7 words or more', words >= 7 ? linkShare : 0)
  note('one word', fact(words === 1))
  note('two words', fact(words === 2))
  note('three or four words', fact(words === 3 || words === 4))
  note('sentence', fact(isSentence))
  note('question', fact(text.endsWith('?')))
  note('capitals', fact(text === text.toUpperCase() && text !== text.toLowerCase()))
  note('price', fact(PRICE.test(text)))
  note('numbers', fact(wordList.length > 0 && numbers / wordList.length > 0.5))
  note('commas', Math.min(text.split(',').length - 1, 5) / 5)
  note('said twice', fact(count > 1))
  note('said often', fact(count > 3))
  note('said before', fact(first !== index))
  note('said before, 4 words or more', fact(first !== index && wordList.length >= 4))
  note('copyright', fact(text.includes('©')))
}

function noteHints({ box, inner }: Block, section: Section | undefined, note: Note): void {
  box.hints.forEach((hint) => note(hint, 1))
  if (inner.hints !== box.hints) inner.hints.forEach((hint) => note(hint, 1))
  section?.under.forEach((name) => note(name, 1))
  note('sections before', Math.min(section?.before ?? 0, 10) / 10)
}

/** Hints of the headings above a block, and the number of sections before it. */
interface Section {
  under: string[]
  before: number
}

function sectionsOf(blocks: readonly Block[]): Section[] {
  const hintsSoFar: Hint[][] = []
  let section: Section = { under: [], before: 0 }
  return blocks.map(({ box, wordList }) => {
    const level = HEADINGS.findIndex((hint) => box.hints.has(hint))
    if (level < 0) return section
    hintsSoFar.length = Math.min(hintsSoFar.length, level)
    hintsSoFar[level] = hintsInWords(wordList.slice(0, 12))
    const under = new Set(hintsSoFar.flatMap((hints) => hints ?? []))
    section = { under: [...under].map((hint) => `under ${hint}`), before: section.before + fact(level === 1) }
    return section
  })
}

function notePlace(index: number, { box, inner }: Block, place: number, whole: Whole, note: Note): void {
  const { ofSentences, ofWords } = whole
  const has = (hint: Hint) => box.hints.has(hint) || inner.hints.has(hint)
  note('place', place)
  note('at the start', fact(place < 0.08))
  note('at the end', fact(place > 0.9))
  note('before the title', fact(whole.h1 >= 0 && index < whole.h1))
  note('no title', fact(whole.h1 < 0))
  note('before any sentence', fact(whole.firstSentence >= 0 && index < whole.firstSentence))
  note('among the sentences', fact(isWithin(index, ofSentences)))
  note('no sentences', fact(!ofSentences))
  note('after the sentences', fact(ofSentences !== null && index >= ofSentences.last))
  note('among the words', fact(isWithin(index, ofWords)))
  note('outside main', fact(whole.hasMain && !has('main')))
  note('outside the article', fact(whole.articles === 1 && !has('article')))
  note('one of many articles', fact(whole.articles > 3 && has('article')))
}

/** The surrounding boxes of the size of a few words, a paragraph and a section. */
function noteAround({ box }: Block, whole: Whole, note: Note): void {
  let around = box
  for (const names of ROUND) {
    while (around.parent && around.words < names.least) around = around.parent
    const words = Math.max(1, around.words)
    note(names.linked, around.linkedWords / words)
    note(names.sentences, around.sentenceWords / words)
    note(names.inBlock, Math.log1p(around.words / Math.max(1, around.last - around.first)))
    note(names.words, Math.log1p(around.words) / 8)
    note(names.share, around.words / Math.max(1, whole.words))
  }
  note('alike', Math.log1p(mostAlike(box)))
}

function mostAlike(box: Box): number {
  let most = 0
  let around: Box | null = box
  for (let level = 0; level < 7 && around; level++, around = around.parent) most = Math.max(most, around.alike)
  return most
}

function noteNeighbours(blocks: readonly Block[], index: number, note: Note): void {
  for (const { offset, length, linked: linkShare, sentence } of NEAR) {
    const other = blocks[index + offset]
    if (!other) continue
    note(length, Math.log1p(other.words))
    note(linkShare, other.linkShare)
    note(sentence, fact(other.isSentence))
  }
}

function notePage(whole: Whole, note: Note): void {
  const words = Math.max(1, whole.words)
  note('page, sentences', whole.sentences / words)
  note('page, linked', whole.linkShare / words)
  note('page, words', Math.log1p(whole.words))
  note('page, articles', Math.log1p(whole.articles))
  note('page, in main', whole.inMain / words)
}

function wholeOf({ blocks, boxes }: Layout): Whole {
  const isInside = blocks.map(({ box }) => !OUTSIDE_CONTENT.some((hint) => box.hints.has(hint)))
  const words = blocks.map((block, index) => (isInside[index] ? block.words : 0))
  const sentences = blocks.map((block, index) =>
    isInside[index] && block.isSentence && block.linkShare < 0.5 ? block.words : 0,
  )
  const copies = new Map<string, number[]>()
  for (const [index, { text }] of blocks.entries()) {
    const count = copies.get(text)
    if (count) count.push(index)
    else copies.set(text, [index])
  }
  const mains = boxes.filter(({ hints, parent }) => hints.has('main') && !parent?.hints.has('main'))
  return {
    words: sumOf(blocks, (block) => block.words),
    linkShare: sumOf(blocks, (block) => block.words * block.linkShare),
    sentences: sumOf(blocks, (block) => (block.isSentence && block.linkShare < 0.5 ? block.words : 0)),
    copies,
    h1: blocks.findIndex(({ box }) => box.hints.has('h1')),
    firstSentence: blocks.findIndex((block, index) => isInside[index] && block.isSentence && block.words >= 15),
    ofSentences: sumOf(sentences, (count) => count) >= 40 ? holderOf(boxes, sentences) : null,
    ofWords: holderOf(boxes, words),
    hasMain: mains.length > 0,
    inMain: sumOf(mains, (box) => box.words),
    articles: boxes.filter(({ element }) => element.tagName === 'ARTICLE' || element.getAttribute('role') === 'article')
      .length,
  }
}

/** The innermost box that holds more than half. */
function holderOf(boxes: readonly Box[], words: readonly number[]): Box | null {
  const until = [0]
  for (const count of words) until.push((until.at(-1) ?? 0) + count)
  const all = until.at(-1) ?? 0
  if (all === 0) return null
  const holding = boxes.filter(({ first, last }) => (until[last] ?? 0) - (until[first] ?? 0) >= HOLDS * all)
  return holding.reduce<Box | null>((deepest, box) => (deepest && deepest.depth >= box.depth ? deepest : box), null)
}

function isWithin(index: number, box: Box | null): boolean {
  return box !== null && index >= box.first && index < box.last
}

function sumOf<Each>(all: readonly Each[], value: (item: Each) => number): number {
  return all.reduce((sum, item) => sum + value(item), 0)
}

function fact(is: boolean): number {
  return is ? 1 : 0
}
