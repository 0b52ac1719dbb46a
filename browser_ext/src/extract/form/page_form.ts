// The text of a page in its form, as `Page.text` of the protocol describes it.
import { BLOCKS, isLarge, LEVELS, SILENT } from '../blocks/text_of'
import { plainText } from '../plain_text'
import { FormLines } from './form_lines'
import { formulaText } from './formulas'
import { itemBoxes } from './boxes'
import { loweredText, raisedText } from './raised'
import { rowLine, rowsOfData, ruleLine, type Row } from './tables'
import { areLineNumbers, fencedLines, languageOf, writtenLines } from './written_text'
import { atOnce, type Work } from '../slices'
import { AS_WRITTEN, OWN_LINE } from '../visibility/form_marks'

/** Return the number of a link, from 1, or null for a link that has none. */
export type NumberOf = (anchor: Element) => number | null

const PARAGRAPHS = new Set('BLOCKQUOTE DL FIGURE OL P PRE TABLE UL'.split(' '))
const LISTS = new Set(['OL', 'UL'])
const HEADING = /^H([1-6])$/
const MATH = 'math'
/** Enough of what follows to tell a fraction or a currency. */
const BEHIND_CHARACTERS = 8

export function formOf(root: Element, numberOf: NumberOf): string {
  return atOnce(formInSlices(root, numberOf))
}

export function* formInSlices(root: Element, numberOf: NumberOf): Work<string> {
  numberItems(root)
  const form = new PageForm(numberOf)
  yield* form.writeInSlices(root)
  yield
  return plainText(form.lines.toString()).trim()
}

/** Number the items of lists by their places in the page, before some are left out. */
export function numberItems(root: Element): void {
  for (const list of root.querySelectorAll('ol')) {
    const items = [...list.children].filter(({ tagName }) => tagName === 'LI')
    const isReversed = list.hasAttribute('reversed')
    let number = Number(list.getAttribute('start') ?? (isReversed ? items.length : 1)) || 0
    for (const item of items) {
      const value = item.getAttribute('value')
      if (value !== null && /^-?\d{1,9}$/.test(value)) number = Number(value)
      item.setAttribute('value', String(number))
      number += isReversed ? -1 : 1
    }
  }
}

class PageForm {
  readonly lines = new FormLines()
  readonly #numberOf: NumberOf
  /** Above 0, a line of the source is a line of the page. */
  #isWritten = 0

  constructor(numberOf: NumberOf) {
    this.#numberOf = numberOf
  }

  write(node: Node): void {
    if (node.nodeType === Node.TEXT_NODE) this.#text(node.nodeValue ?? '')
    else if (node.nodeType === Node.ELEMENT_NODE)
      this.#element(node as Element, (node as Element).tagName.toUpperCase())
  }

  /** The parts of large blocks are written one by one. */
  *writeInSlices(node: Node, levels = LEVELS): Work<void> {
    const element = node as Element
    const name = node.nodeName.toUpperCase()
    const isBlock = BLOCKS.has(name) && !(name in this.#writers) && !HEADING.test(name)
    if (levels === 0 || !isLarge(node) || !(isBlock || name === 'BODY') || element.hasAttribute(AS_WRITTEN)) {
      this.write(node)
      return
    }
    this.#end(this.#isParagraph(element, name))
    const items = itemBoxes(element)
    for (const child of element.childNodes) {
      if (items?.has(child as Element)) this.#itemBox(child)
      else yield* this.writeInSlices(child, levels - 1)
      yield
    }
    this.#end(this.#isParagraph(element, name))
  }

  #text(data: string): void {
    if (this.#isWritten === 0) return this.lines.text(data)
    data.split('\n').forEach((line, index) => {
      if (index > 0) this.lines.endLine()
      this.lines.text(line)
    })
  }

  #element(element: Element, name: string): void {
    if (SILENT.has(name)) return
    const level = HEADING.exec(name)?.[1]
    if (level) this.#heading(element, Number(level))
    else if (element.getAttribute('is') === MATH || element.localName === MATH) this.lines.text(formulaText(element))
    else (this.#writers[name] ?? this.#other)(element, name)
  }

  readonly #writers: Partial<Record<string, (element: Element) => void>> = {
    BR: () => {
      this.lines.endLine()
    },
    HR: () => {
      this.lines.endParagraph()
    },
    A: (element) => {
      this.lines.link(this.#numberOf(element), () => {
        this.#inline(element)
      })
    },
    IMG: (element) => {
      const alternative = element.getAttribute('alt')
      if (alternative) this.lines.picture(alternative)
    },
    SUP: (element) => {
      const before = this.lines.tail
      const isReference = element.querySelector('a[href*="#"]') !== null || element.closest('a[href*="#"]') !== null
      this.lines.text(raisedText({ text: this.#words(element), isReference, before, behind: textBehind(element) }))
    },
    SUB: (element) => {
      const before = this.lines.tail
      this.lines.text(loweredText(this.#words(element), before))
    },
    RT: (element) => {
      const hasBrackets = element.parentElement?.querySelector('rp') != null
      this.lines.text(hasBrackets ? this.#joined(element) : `(${this.#joined(element)})`)
    },
    CODE: (element) => {
      this.#code(element)
    },
    PRE: (element) => {
      this.#pre(element)
    },
    LI: (element) => {
      this.#item(element)
    },
    BLOCKQUOTE: (element) => {
      this.lines.endParagraph()
      this.lines.indented('> ', '> ', () => {
        this.#children(element)
      })
      this.lines.endParagraph()
    },
    TABLE: (element) => {
      this.#table(element)
    },
    TD: (element) => {
      this.#children(element)
      this.lines.text(' ')
    },
    TH: (element) => {
      this.#children(element)
      this.lines.text(' ')
    },
  }

  readonly #other = (element: Element, name: string): void => {
    if (element.hasAttribute(AS_WRITTEN)) return this.#asWritten(element)
    const isLine = BLOCKS.has(name)
    if (!isLine) return this.#inline(element)
    this.#end(this.#isParagraph(element, name))
    this.#children(element)
    this.#end(this.#isParagraph(element, name))
  }

  #isParagraph(element: Element, name: string): boolean {
    return PARAGRAPHS.has(name) && !(element.parentElement?.tagName === 'LI' && LISTS.has(name))
  }

  #end(isParagraph: boolean): void {
    if (isParagraph) this.lines.endParagraph()
    else this.lines.endLine()
  }

  #children(element: Element): void {
    const items = this.lines.isJoined ? null : itemBoxes(element)
    element.childNodes.forEach((child) => {
      if (items?.has(child as Element)) this.#itemBox(child)
      else this.write(child)
    })
  }

  #itemBox(box: Node): void {
    this.lines.indented('- ', '  ', () => {
      this.write(box)
    })
  }

  /** Elements that the page shows apart from each other are not written together. */
  #inline(element: Element): void {
    const isApart = element.hasAttribute(OWN_LINE)
    if (isApart) this.lines.text(' ')
    this.#children(element)
    if (isApart) this.lines.text(' ')
  }

  #joined(element: Element): string {
    return this.lines.joined(() => {
      this.#children(element)
    })
  }

  #words(element: Element): string {
    return this.lines.words(() => {
      this.#children(element)
    })
  }

  #heading(element: Element, level: number): void {
    if (this.lines.isJoined) return this.#inline(element)
    const text = this.#joined(element)
    if (!text) return
    this.lines.endParagraph()
    this.lines.text(`${'#'.repeat(level)} ${text}`)
    this.lines.endParagraph()
  }

  #item(element: Element): void {
    const list = element.parentElement?.tagName
    const marker = list === 'OL' ? `${element.getAttribute('value') ?? '1'}. ` : '- '
    this.lines.indented(marker, ' '.repeat(marker.length), () => {
      this.#children(element)
    })
  }

  #code(element: Element): void {
    const isBlock = element.querySelector('br, div, p') !== null || element.hasAttribute(AS_WRITTEN)
    if (isBlock) return this.#pre(element)
    const text = this.#joined(element)
    if (text) this.lines.text(text.includes('`') ? text : `\`${text}\``)
  }

  #pre(element: Element): void {
    const lines = writtenLines(element)
    if (lines.length === 0 || areLineNumbers(lines)) return
    if (this.lines.isJoined) {
      this.lines.text(` ${lines.join(' ')} `)
      return
    }
    this.lines.endParagraph()
    this.lines.asWritten(fencedLines(lines, languageOf(element)))
    this.lines.endParagraph()
  }

  /** Indented lines are program code. Those of posts and poems are words. */
  #asWritten(element: Element): void {
    if (writtenLines(element).some((line) => /^(?:\t| {2,})\S/.test(line))) return this.#pre(element)
    this.#end(false)
    this.#isWritten++
    this.#children(element)
    this.#isWritten--
    this.#end(false)
  }

  #table(element: Element): void {
    const rows = this.lines.isJoined ? null : rowsOfData(element)
    this.lines.endParagraph()
    if (rows) this.#rows(element, rows)
    else this.#children(element)
    this.lines.endParagraph()
  }

  #rows(table: Element, rows: readonly Row[]): void {
    const caption = table.querySelector(':scope > caption')
    if (caption) this.write(caption)
    this.lines.endParagraph()
    let isHeadEnded = false
    for (const [index, { cells, isHeader }] of rows.entries()) {
      const line = rowLine(cells, (cell) => this.#joined(cell))
      if (!/[^|\s\\]/.test(line)) continue
      this.lines.asWritten([line])
      if (isHeader && !isHeadEnded && rows[index + 1]?.isHeader !== true) {
        this.lines.asWritten([ruleLine(cells)])
        isHeadEnded = true
      }
    }
  }
}

function textBehind(element: Element): string {
  let node: Node | null = element
  while (node && !node.nextSibling && node.parentNode && !isBlock(node.parentNode)) node = node.parentNode
  return (node?.nextSibling?.textContent ?? '').slice(0, BEHIND_CHARACTERS)
}

function isBlock(node: Node): boolean {
  return BLOCKS.has((node as Partial<Element>).tagName?.toUpperCase() ?? 'BODY') || node.nodeName === 'BODY'
}
