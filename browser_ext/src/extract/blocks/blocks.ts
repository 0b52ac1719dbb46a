// A page as a list of blocks: texts on lines of their own, each with its surrounding boxes.
import { BLOCKS, SILENT } from './text_of'

/** An element that holds text. */
export interface Box {
  element: Element
  parent: Box | null
  /** A part that a click opens. */
  isClosed: boolean
  /** Its blocks are those from `first` up to, not including, `last`. */
  first: number
  last: number
  depth: number
  /** The number of children that are made like the most frequent kind. */
  alike: number
  words: number
  linkedWords: number
  sentenceWords: number
}

export interface Block {
  nodes: Text[]
  /** The block-level element around it, and the innermost element around its first letter. */
  box: Box
  inner: Box
  text: string
  /** Its words, and their number. */
  wordList: string[]
  words: number
  /** Share of its characters that are links. */
  linkShare: number
  isSentence: boolean
}

export interface Layout {
  blocks: Block[]
  /** Inner boxes come first. */
  boxes: Box[]
}

/** A text or a line break within a block. */
interface Piece {
  node: Text | null
  data: string
  inLink: boolean
  inner: Box
}

/** The attribute by which the copy of the page marks collapsed parts. */
export const CLOSED = 'data-closed'

/** Yield only after so many nodes: a pause takes longer than one node. */
const PAUSE = 16
const SENTENCE_WORDS = 6
/** Thai and its neighbours end a sentence with a space. */
const UNENDED_WORDS = 12
const SENTENCE_END = /[.!?…:؟۔।॥።।][)"”’»]*\s*$|[。！？．]/
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|[\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*/gu
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Letters of a word, in scripts without spaces between words. */
const IDEOGRAPHS_OF_WORD = 2
const LETTERS_OF_WORD = 4

/** In lower case. Without spaces between words, each character counts as a word. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? []
}

/** The number of words. In a script without spaces, a few characters make about one. */
export function countWords(text: string, words: readonly string[] = wordsOf(text)): number {
  if (!IDEOGRAPH.test(text) && !UNSPACED.test(text)) return words.length
  return words.reduce((sum, word) => sum + shareOfWord(word), 0)
}

/** Whether a text has so many words. Looks no further. */
export function hasWords(text: string, least: number): boolean {
  let words = 0
  for (const [word] of text.matchAll(WORD)) {
    words += shareOfWord(word)
    if (words >= least) return true
  }
  return false
}

function shareOfWord(word: string): number {
  if (IDEOGRAPH.test(word)) return 1 / IDEOGRAPHS_OF_WORD
  return UNSPACED.test(word) ? 1 / LETTERS_OF_WORD : 1
}

/** Yields wherever it may be interrupted. */
export function* layoutOf(body: Element): Generator<undefined, Layout> {
  const layout = new LayoutBuilder()
  let node: Node = body
  for (let goes = true, count = 1; goes; count++) {
    if (count % PAUSE === 0) yield
    const within: Node | null = layout.enter(node) ? node.firstChild : null
    if (within) {
      node = within
      continue
    }
    layout.leave(node)
    while (node !== body && !node.nextSibling && node.parentNode) {
      node = node.parentNode
      layout.leave(node)
    }
    if (node === body) goes = false
    else node = node.nextSibling as Node
  }
  return layout
}

class LayoutBuilder implements Layout {
  readonly blocks: Block[] = []
  readonly boxes: Box[] = []
  #open: Box[] = []
  #run: Piece[] = []
  #holders: Box[] = []
  #links = 0

  /** Return whether the children of the node follow. */
  enter(node: Node): boolean {
    if (node.nodeType === Node.TEXT_NODE) return this.#add(node as Text, (node as Text).data)
    if (node.nodeType !== Node.ELEMENT_NODE) return false
    const element = node as Element
    if (SILENT.has(element.tagName)) return false
    if (element.tagName === 'BR') return this.#add(null, '\n')
    const box = boxOf(element, this.#open.at(-1) ?? null, this.blocks.length)
    this.#open.push(box)
    if (element.tagName === 'A') this.#links++
    if (isBlock(element)) {
      this.#end()
      box.first = this.blocks.length
      this.#holders.push(box)
    }
    return true
  }

  leave(node: Node): void {
    const box = this.#open.at(-1)
    if (!box || box.element !== node) return
    if (isBlock(box.element)) {
      this.#end()
      this.#holders.pop()
    }
    if (box.element.tagName === 'A') this.#links--
    box.last = this.blocks.length
    this.#open.pop()
    this.boxes.push(box)
  }

  #add(node: Text | null, data: string): false {
    const inner = this.#open.at(-1)
    if (inner) this.#run.push({ node, data, inLink: this.#links > 0, inner })
    return false
  }

  /** Make a block of the texts since the last one. */
  #end(): void {
    const run = this.#run
    this.#run = []
    const first = run.find(({ data }) => data.trim() !== '')
    const box = this.#holders.at(-1)
    if (!first || !box) return
    const text = run
      .map(({ data }) => data)
      .join('')
      .replace(/\s+/g, ' ')
      .trim()
    const wordList = wordsOf(text)
    const words = countWords(text, wordList)
    const linkShare = lengthOf(run.filter(({ inLink }) => inLink)) / lengthOf(run)
    const isUnended = words >= UNENDED_WORDS && UNSPACED.test(text)
    const isSentence = isUnended || (words >= SENTENCE_WORDS && SENTENCE_END.test(text))
    this.blocks.push({
      nodes: run.flatMap(({ node }) => node ?? []),
      box,
      inner: first.inner,
      text,
      wordList,
      words,
      linkShare,
      isSentence,
    })
    for (const around of this.#holders) count(around, words, linkShare, isSentence)
  }
}

function isBlock({ tagName }: Element): boolean {
  return BLOCKS.has(tagName) || tagName === 'BODY' || tagName === 'TD' || tagName === 'TH'
}

function boxOf(element: Element, parent: Box | null, first: number): Box {
  return {
    element,
    parent,
    isClosed: element.hasAttribute(CLOSED),
    first,
    last: first,
    depth: parent ? parent.depth + 1 : 0,
    alike: alikeIn(element),
    words: 0,
    linkedWords: 0,
    sentenceWords: 0,
  }
}

function alikeIn(element: Element): number {
  if (element.childElementCount < 2) return element.childElementCount
  const counts = new Map<string, number>()
  for (const child of element.children) {
    const kind = `${child.tagName} ${child.className}`
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return Math.max(...counts.values())
}

function lengthOf(run: readonly Piece[]): number {
  return run.reduce((sum, { data }) => sum + data.trim().length, 0)
}

function count(box: Box, words: number, linkShare: number, isSentence: boolean): void {
  box.words += words
  box.linkedWords += words * linkShare
  if (isSentence) box.sentenceWords += words
}
