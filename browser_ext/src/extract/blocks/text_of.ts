// The text of a tree, with a line for each block.
import { tidyLines } from '../plain_text'
import type { Work } from '../slices'

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

/** Elements within one that is read at once. */
const AT_ONCE = 200
/** So deep the parts of a page are read one by one: counting what is in each takes time as well. */
export const LEVELS = 20

export function textOf(root: Element): string {
  const parts: string[] = []
  collect(root, parts)
  return textOfParts(parts)
}

export function* textInSlices(root: Element): Work<string> {
  const parts: string[] = []
  yield* collectInSlices(root, parts)
  yield
  return textOfParts(parts)
}

function textOfParts(parts: readonly string[]): string {
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
  parts.push(beginning(name))
  for (let child = element.firstChild; child; child = child.nextSibling) collect(child, parts)
  parts.push(ending(name))
}

function* collectInSlices(node: Node, parts: string[], levels = LEVELS): Work<void> {
  const name = node.nodeName.toUpperCase()
  if (levels === 0 || !isLarge(node) || SILENT.has(name)) {
    collect(node, parts)
    return
  }
  parts.push(beginning(name))
  for (let child = node.firstChild; child; child = child.nextSibling) {
    yield* collectInSlices(child, parts, levels - 1)
    yield
  }
  parts.push(ending(name))
}

export function isLarge(node: Node): boolean {
  return node.nodeType === Node.ELEMENT_NODE && (node as Element).getElementsByTagName('*').length > AT_ONCE
}

function beginning(name: string): string {
  return edgeOf(name) + (name === 'LI' ? '- ' : '')
}

function ending(name: string): string {
  return name === 'TD' || name === 'TH' ? ' ' : edgeOf(name)
}

function edgeOf(name: string): string {
  return APART.has(name) ? PARAGRAPH : BLOCKS.has(name) ? LINE : ''
}
