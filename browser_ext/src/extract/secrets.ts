// Locates secrets that a picture of the page must not show, in its fields and texts. src/private/ says what is one.
// Frames count too: they show other sites.
import { digitFieldsIn, isSecretField, NEAR_CHARACTERS } from '../private/secret_fields'
import { spansIn } from '../private/secret_spans'
import { shadowOf } from './shadow_roots'

/** In CSS pixels of the page, from its upper left corner. */
export interface Rect {
  x: number
  y: number
  width: number
  height: number
}

interface Piece {
  node: Text
  start: number
}

const FRAMES = 'iframe, frame, object, embed, fencedframe'
const FIELDS = 'input, textarea, select'
const EDGE_PX = 2

export function secretsOf(page: Document): Rect[] {
  const view = page.defaultView
  if (!view) return []
  const boxes = rootsOf(page).flatMap((root) => [...boxesIn(root), ...textRectsIn(root)])
  return boxes.filter(({ width, height }) => width > 0 && height > 0).map((rect) => onPage(rect, view))
}

/** The document and its shadow trees, also those that are closed to the page's own scripts. */
function rootsOf(root: Document | ShadowRoot): (Document | ShadowRoot)[] {
  const shadows = [...root.querySelectorAll('*')].map(shadowOf).filter((shadow) => shadow !== null)
  return [root, ...shadows.flatMap(rootsOf)]
}

function boxesIn(root: Document | ShadowRoot): DOMRect[] {
  const fields = [...root.querySelectorAll<HTMLInputElement>(FIELDS)].filter(isSecretField)
  return [...root.querySelectorAll(FRAMES), ...fields, ...digitFieldsIn(root)].map((element) =>
    element.getBoundingClientRect(),
  )
}

/** A secret may be split over several elements, and the word that tells of it stand in a block before. */
function textRectsIn(root: Document | ShadowRoot): DOMRect[] {
  const { text, pieces } = joined(blocksIn(root), root instanceof ShadowRoot ? wordsAround(root.host) : '')
  return spansIn(text).flatMap(([start, end]) => rectsOf(pieces, start, end))
}

function joined(blocks: readonly Text[][], before: string): { text: string; pieces: Piece[] } {
  const [pieces, texts] = [[] as Piece[], [before]]
  let start = before.length
  for (const nodes of blocks) {
    texts.push('\n')
    start += 1
    for (const node of nodes) {
      pieces.push({ node, start })
      texts.push(node.data)
      start += node.data.length
    }
  }
  return { text: texts.join(''), pieces }
}

/** What is said beside an element with a shadow tree. */
function wordsAround(host: Element): string {
  const words = host.parentElement?.textContent ?? ''
  return words.slice(0, NEAR_CHARACTERS)
}

/** The text nodes of each block, in page order. */
function blocksIn(root: Document | ShadowRoot): Text[][] {
  const page = root instanceof Document ? root : root.ownerDocument
  const walker = page.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const blocks = new Map<Element | null, Text[]>()
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const block = blockOf(node.parentElement)
    const nodes = blocks.get(block) ?? []
    nodes.push(node as Text)
    blocks.set(block, nodes)
  }
  return [...blocks.values()]
}

function blockOf(element: Element | null): Element | null {
  let block = element
  while (block?.parentElement && getComputedStyle(block).display.startsWith('inline')) block = block.parentElement
  return block
}

/** Of each text node on its own: a range over several blocks would also cover what stands between them. */
function rectsOf(pieces: readonly Piece[], start: number, end: number): DOMRect[] {
  const concerned = pieces.slice(pieceAt(pieces, start), pieceAt(pieces, end - 1) + 1)
  // what is said beside a shadow tree comes before its pieces, and may hold a secret itself
  return concerned
    .filter((piece) => piece.start < end)
    .flatMap((piece) => {
      const range = piece.node.ownerDocument.createRange()
      range.setStart(piece.node, Math.max(0, start - piece.start))
      range.setEnd(piece.node, Math.min(piece.node.data.length, end - piece.start))
      return [...range.getClientRects()]
    })
}

/** The last piece that starts at or before a place. */
function pieceAt(pieces: readonly Piece[], place: number): number {
  let [low, high] = [0, pieces.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((pieces[middle]?.start ?? 0) <= place) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

function onPage({ x, y, width, height }: DOMRect, view: Window): Rect {
  return {
    x: x + view.scrollX - EDGE_PX,
    y: y + view.scrollY - EDGE_PX,
    width: width + 2 * EDGE_PX,
    height: height + 2 * EDGE_PX,
  }
}
