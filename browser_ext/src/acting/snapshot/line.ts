// The lines of a snapshot. Pieces of one block come in page order, and end as one line.
import { oneLine, singleSpaced } from '../../extract/plain_text'

/** Of a set of like siblings: which set, and which of them. */
export interface Sibling {
  group: number
  item: number
}

export interface Line {
  text: string
  /** The controls in it, in order. */
  refs: number[]
  sibling?: Sibling
  /** In place of this line stands a frame: its place among the frames of its page (−1: unknown), and its host. */
  frame?: { place: number; host: string }
}

/** Of the text of one line, without its controls. */
const TEXT_CHARACTERS = 160
/** A line with many controls goes on in another one. */
const LINE_CHARACTERS = 1_000
/** A beginning that has a meaning here. */
const MEANT = /^(?:[#!…\\]|\[|beneath:|[a-z]+:$)/
const BEFORE_STOP = / (?=[,.;:!?)](?:\s|$))/g

export class LineWriter {
  readonly lines: Line[] = []
  sibling: Sibling | undefined
  #line = ''
  #prefix = ''
  #refs: number[] = []
  #room: number
  #overrun = 0
  #cell = false

  constructor(private readonly textCharacters = TEXT_CHARACTERS) {
    this.#room = textCharacters
  }

  space(): void {
    if (this.#line === '') return
    if (this.#cell) this.#separateCells()
    if (this.#room > 0) this.#line += ' '
    this.#room -= 1
  }

  /** Add words of the page. White space at their ends counts. */
  text(raw: string): void {
    const words = neutral(singleSpaced(raw))
    if (this.#cell) this.#separateCells()
    const short = words.slice(0, Math.max(0, this.#room)).toWellFormed()
    if (this.#line === '') this.#begin(short.trimStart())
    else this.#line += short
    this.#room -= words.length
    this.#overrun += words.length - short.length
  }

  #begin(words: string): void {
    this.#line = MEANT.test(words.trimEnd()) ? `\\${words}` : words
  }

  control(text: string, ref: number): void {
    if (this.#line.length + text.length > LINE_CHARACTERS) this.end()
    if (this.#cell) this.#separateCells()
    if (this.#overrun > 0) this.#sayOverrun()
    this.#line += `${/[\s(]$|^$/.test(this.#line) ? '' : ' '}${text} `
    this.#refs.push(ref)
  }

  /** Begin a cell of a row. Columns keep their places: an empty cell counts, before a heading also the first one. */
  cell(isCorner = false): void {
    if (this.#cell) this.#separateCells()
    this.#cell = this.#line !== ''
    if (isCorner && this.#line === '') this.#line = ' '
  }

  heading(level: number): void {
    this.end()
    this.#prefix = `${'#'.repeat(level)} `
  }

  end(): void {
    if (this.#overrun > 0) this.#sayOverrun()
    if (this.#line !== '') this.#pushWritten()
    this.#prefix = ''
    this.#cell = false
    this.#room = this.textCharacters
  }

  #pushWritten(): void {
    const text = withoutLastCells(oneLine(this.#line).replace(BEFORE_STOP, ''))
    if (text !== '') this.#push({ text: this.#prefix + text, refs: this.#refs })
    this.#line = ''
    this.#refs = []
  }

  /** A line that stands alone, such as that of a landmark. */
  alone(text: string, frame?: Line['frame']): void {
    this.end()
    this.#push({ text, refs: [], ...(frame && { frame }) })
  }

  /** Add a line about what the walk then writes, unless that is nothing. */
  above(text: string, walk: () => void): void {
    this.alone(text)
    const count = this.lines.length
    walk()
    this.end()
    if (this.lines.length === count) this.lines.pop()
  }

  /** Add lines that were written apart. */
  take(lines: readonly Line[]): void {
    const [first, ...rest] = lines
    if (!first) return
    if (this.#prefix === '' && first.frame === undefined) {
      if (this.#cell) this.#separateCells()
      this.#line += first.text
      this.#refs.push(...first.refs)
      if (rest.length === 0) return void (this.#line += ' ')
    } else rest.unshift(first)
    this.end()
    for (const line of rest) this.#push(line)
  }

  #push(line: Line): void {
    this.lines.push(this.sibling ? { ...line, sibling: this.sibling } : line)
  }

  #separateCells(): void {
    if (this.#overrun > 0) this.#sayOverrun()
    this.#line += ' | '
    this.#cell = false
    this.#room = this.textCharacters
  }

  #sayOverrun(): void {
    this.#line += `…${this.#overrun} `
    this.#overrun = 0
  }
}

function withoutLastCells(text: string): string {
  return text.endsWith('|') ? text.replace(/(?:^| )\|(?: \|)*$/, '') : text
}

/** Brackets are for controls: a page must not write one. */
export function neutral(text: string): string {
  return /[[\]]/.test(text) ? text.replaceAll('[', '(').replaceAll(']', ')') : text
}

/** Return the beginning of a text of the page, on one line, and how much is missing. */
export function shorten(text: string, most: number): string {
  const line = oneLine(neutral(text))
  if (line.length <= most) return line
  return `${line.slice(0, most).toWellFormed().trimEnd()}…${line.length - most}`
}
