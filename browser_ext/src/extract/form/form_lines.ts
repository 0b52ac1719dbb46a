// Writes the lines of the page form: indentation of lists and quotations, empty lines, links and alternative texts.

/** What stands before the lines of an element: before the first, and before the others. */
interface Prefix {
  first: string | null
  rest: string
}

interface OpenLink {
  number: number
  isWritten: boolean
}

/** Around an alternative text, until its line is whole. The text of the page has no control characters. */
const PICTURE = '\u0003'
const PICTURE_END = '\u0004'
const PICTURES = /\u0003([^\u0004]*)\u0004/g
const SPACES = /[\s\u0000-\u0008]+/g
const WORD = /[\p{L}\p{N}]/u
const LINK_END = /\]\(l\d+\)/

export class FormLines {
  readonly #lines: string[] = []
  readonly #prefixes: Prefix[] = []
  #line = ''
  #isApart = false
  #link: OpenLink | null = null
  /** Above 0, the ends of lines are spaces: in headings and cells. */
  #joined = 0
  #hasLinks = true

  /** The end of the line so far. */
  get tail(): string {
    return this.#line
  }

  get isJoined(): boolean {
    return this.#joined > 0
  }

  text(data: string): void {
    const text = data.replace(SPACES, ' ')
    if (text === '' || (text === ' ' && this.#link?.isWritten === false)) return void (this.#line += text)
    this.#line += text.startsWith(' ') ? ` ${this.#linkBegin()}${text.slice(1)}` : `${this.#linkBegin()}${text}`
  }

  /** An alternative text. It stays in a line with words, and as the only text of a link. */
  picture(alternative: string): void {
    this.#line += `${this.#linkBegin()}${PICTURE}${alternative.replace(SPACES, ' ')}${PICTURE_END}`
  }

  link(number: number | null, write: () => void): void {
    if (number === null || this.#link || !this.#hasLinks) {
      write()
      return
    }
    this.#link = { number, isWritten: false }
    write()
    this.#endLink()
    this.#link = null
  }

  endLine(): void {
    if (this.isJoined) return void (this.#line += ' ')
    this.#endLink()
    const line = tidy(this.#line)
    this.#line = ''
    if (line) this.#add(line)
  }

  /** End the line. An empty line comes before the next, unless that is the first of an item. */
  endParagraph(): void {
    this.endLine()
    const isFirst = (this.#prefixes.at(-1)?.first ?? null) !== null
    if (!this.isJoined && !isFirst) this.#isApart = true
  }

  /** Lines as they are, with their spaces. */
  asWritten(lines: readonly string[]): void {
    this.endLine()
    lines.forEach((line) => {
      this.#add(line)
    })
  }

  indented(first: string, rest: string, write: () => void): void {
    this.endLine()
    this.#prefixes.push({ first, rest })
    write()
    this.endLine()
    this.#prefixes.pop()
  }

  /** The line of what is written, without ends of lines. */
  joined(write: () => void): string {
    const [before, wasWritten] = [this.#line, this.#link?.isWritten]
    this.#line = ''
    this.#joined++
    write()
    if (this.#link && wasWritten === false) this.#endLink()
    this.#joined--
    const line = tidy(this.#line)
    this.#line = before
    return line
  }

  /** The same, without links. */
  words(write: () => void): string {
    const [link, hasLinks] = [this.#link, this.#hasLinks]
    this.#link = null
    this.#hasLinks = false
    const line = this.joined(write)
    this.#link = link
    this.#hasLinks = hasLinks
    return line
  }

  toString(): string {
    this.endLine()
    return this.#lines.join('\n')
  }

  #linkBegin(): string {
    if (this.#link?.isWritten !== false) return ''
    this.#link.isWritten = true
    return '['
  }

  #endLink(): void {
    if (!this.#link?.isWritten) return
    const space = this.#line.endsWith(' ') ? ' ' : ''
    this.#line = `${this.#line.trimEnd()}](l${String(this.#link.number)})${space}`
    this.#link = null
  }

  #add(line: string): void {
    const around = this.#prefixes.filter(({ first }) => first === null).map(({ rest }) => rest)
    if (this.#isApart && this.#lines.length > 0) this.#lines.push(around.join('').trimEnd())
    this.#isApart = false
    const before = this.#prefixes.map((prefix) => prefix.first ?? prefix.rest).join('')
    for (const prefix of this.#prefixes) prefix.first = null
    this.#lines.push(`${before}${line}`.trimEnd())
  }
}

function tidy(text: string): string {
  const line = text.replace(/ {2,}/g, ' ').trim()
  if (!line.includes(PICTURE)) return line
  const isTold = LINK_END.test(line) || WORD.test(line.replace(PICTURES, ''))
  return line.replace(PICTURES, isTold ? '![$1]' : '').trim()
}
