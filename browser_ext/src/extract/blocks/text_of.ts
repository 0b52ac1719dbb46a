// The text of a tree, with a line for each block.
import { tidyLines } from '../plain_text'

export const BLOCKS = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE CAPTION DD DETAILS DIALOG DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL P PRE SECTION SUMMARY TABLE TBODY TFOOT THEAD TR UL'.split(
    ' ',
  ),
)
const APART = new Set('BLOCKQUOTE DL FIGURE H1 H2 H3 H4 H5 H6 OL P PRE TABLE UL'.split(' '))
export const SILENT = new Set('SCRIPT STYLE NOSCRIPT TEMPLATE HEAD'.split(' '))

/** End of a line, and end of a paragraph. Adjacent ones are one break, the larger of them. */
const LINE = '\u0001'
const PARAGRAPH = '\u0002'
const BREAKS = /[\u0001\u0002\s]*[\u0001\u0002][\u0001\u0002\s]*/g
const SPACE = /[\s\u0001\u0002]+/g

export function textOf(root: Element): string {
  const parts: string[] = []
  collect(root, parts)
  const lines = parts.join('').replace(BREAKS, (lineBreak) => (lineBreak.includes(PARAGRAPH) ? '\n\n' : '\n'))
  return tidyLines(lines.replace(/(^|\n)-\n+/g, '$1- ')) // a paragraph within a list item stays with its dash
}

function collect(node: Node, parts: string[]): void {
  if (node.nodeType === Node.TEXT_NODE) parts.push((node.nodeValue ?? '').replace(SPACE, ' '))
  else if (node.nodeType === Node.ELEMENT_NODE) collectElement(node as Element, parts)
}

function collectElement(element: Element, parts: string[]): void {
  const name = element.tagName.toUpperCase()
  if (SILENT.has(name)) return
  if (name === 'BR') return void parts.push('\n')
  const edge = APART.has(name) ? PARAGRAPH : BLOCKS.has(name) ? LINE : ''
  parts.push(edge)
  if (name === 'LI') parts.push('- ')
  for (let child = element.firstChild; child; child = child.nextSibling) collect(child, parts)
  parts.push(name === 'TD' || name === 'TH' ? ' ' : edge)
}
