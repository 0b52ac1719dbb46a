// The text of a tree with the lines that its blocks make.
import { tidyLines } from './plain_text'

const BLOCKS = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE CAPTION DD DETAILS DIALOG DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL P PRE SECTION SUMMARY TABLE TBODY TFOOT THEAD TR UL'.split(
    ' ',
  ),
)
const APART = new Set('BLOCKQUOTE DL FIGURE H1 H2 H3 H4 H5 H6 OL P PRE TABLE UL'.split(' '))
const SILENT = new Set('SCRIPT STYLE NOSCRIPT TEMPLATE HEAD'.split(' '))

export function textOf(root: Element): string {
  const parts: string[] = []
  collect(root, parts)
  return tidyLines(parts.join(''))
}

function collect(node: Node, parts: string[]): void {
  if (node.nodeType === Node.TEXT_NODE) parts.push((node.nodeValue ?? '').replace(/\s+/g, ' '))
  else if (node.nodeType === Node.ELEMENT_NODE) collectElement(node as Element, parts)
}

function collectElement(element: Element, parts: string[]): void {
  const name = element.tagName.toUpperCase()
  if (SILENT.has(name)) return
  if (name === 'BR') return void parts.push('\n')
  const edge = APART.has(name) ? '\n\n' : BLOCKS.has(name) ? '\n' : ''
  parts.push(edge)
  if (name === 'LI') parts.push('- ')
  element.childNodes.forEach((child) => collect(child, parts))
  parts.push(name === 'TD' || name === 'TH' ? ' ' : edge)
}
