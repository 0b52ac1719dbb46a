// A page as a list of blocks: texts on lines of their own, each with its surrounding boxes.
import { BLOCKS, SILENT } from './text_of'
import { CLOSED, HINT_OF_ROLE, HINT_OF_TAG, hintsInNames, type Hint } from './element_hints'

/** An element that holds text. */
export interface Box {
  element: Element
  parent: Box | null
  /** Hints of this box and all boxes around it. */
  hints: ReadonlySet<Hint>
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

/** Yield only after so many nodes: a pause takes longer than one node. */
const PAUSE = 16
const SENTENCE_WORDS = 6
const SENTENCE_END = /[.!?…:][)"”’]*\s*$|[。！？]/
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}_]+/gu
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** In lower case. Without spaces between words, each character counts as a word. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? []
}

/** Two characters of a script without spaces make about one word. */
function countWords(text: string, words: readonly string[]): number {
  return words.length - (IDEOGRAPH.test(text) ? words.filter((word) => IDEOGRAPH.test(word)).length / 2 : 0)
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
    const isSentence = words >= SENTENCE_WORDS && SENTENCE_END.test(text)
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
  const around = parent?.hints ?? new Set<Hint>()
  const own = ownHints(element).filter((hint) => !around.has(hint))
  const hints = own.length > 0 ? new Set([...around, ...own]) : around
  const counts = { words: 0, linkedWords: 0, sentenceWords: 0 }
  return {
    element,
    parent,
    hints,
    first,
    last: first,
    depth: parent ? parent.depth + 1 : 0,
    alike: alikeIn(element),
    ...counts,
  }
}

function ownHints(element: Element): Hint[] {
  if (element.tagName === 'BODY') return []
  const tag = HINT_OF_TAG[element.tagName]
  const role = HINT_OF_ROLE[element.getAttribute('role') ?? '']
  const fromNames = hintsInNames(`${element.className} ${element.id}`)
  const fromClosed: Hint[] = element.hasAttribute(CLOSED) ? ['closed'] : []
  return [...(tag ? [tag] : []), ...(role ? [role] : []), ...fromNames, ...fromClosed]
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
