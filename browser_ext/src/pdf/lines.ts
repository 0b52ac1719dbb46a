// Lines and paragraphs of one PDF page. A PDF has neither: only pieces of text with positions.

/** A piece of text from pdf.js. `transform` is [a, b, c, d, x, y] in points, y upwards. */
export interface Piece {
  str: string
  dir: string
  transform: readonly number[]
  width: number
  hasEOL: boolean
}

interface Line {
  text: string
  left: number
  right: number
  y: number
  size: number
  /** A row of a table: its gaps are too wide for a missing word. */
  isRow: boolean
}

/** Smaller letters are unreadable. */
const TINY = 2
/** In letter sizes: a larger step down begins a new paragraph. */
const STEP_MOST = 1.7
const STEP_LEAST = 0.3
/** Letters of another size are a heading or a note. */
const SIZE_MOST = 1.15
/** In letter sizes: a line that ends so far left of its neighbours ended on purpose. */
const SHORT_BY = 6
const SAME_LEFT = 3
const INDENT = 0.8
const GAP = 2
/** Number of lines before and after that count as neighbours. */
const AROUND = 20
const HYPHEN = /\p{L}[-\u2010\u00AD]$/u
const ITEM = /^(?:[•‣▪◦–—*-]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s/
const PARTED = '\u0000'

/** Return the text with one line for each paragraph, and an empty line where the page leaves space. */
export function textOfPieces(pieces: readonly Piece[]): string {
  const lines = linesOf(pieces)
  const parts = lines.map((line, at) => {
    const before = lines[at - 1]
    return (before ? between(before, line, lines.slice(Math.max(0, at - AROUND), at + AROUND)) : '') + line.text
  })
  return parts.join('').replace(/.\u0000/gu, '') // a word that was parted at the end of a line is made whole again
}

function between(before: Line, line: Line, around: readonly Line[]): string {
  const step = (before.y - line.y) / before.size
  if (step < STEP_LEAST || step > STEP_MOST) return '\n\n'
  if (Math.max(before.size, line.size) > Math.min(before.size, line.size) * SIZE_MOST) return '\n\n'
  if (HYPHEN.test(before.text) && /^\p{Ll}/u.test(line.text)) return PARTED
  // the continued lines of a list item are indented
  const isIndented = !ITEM.test(before.text) && line.left - before.left > INDENT * line.size
  return isIndented || before.isRow || line.isRow || ITEM.test(line.text) || endsShort(before, around) ? '\n' : ' '
}

function endsShort(line: Line, around: readonly Line[]): boolean {
  const alike = around.filter(
    ({ left, size }) =>
      Math.abs(left - line.left) < SAME_LEFT * line.size && Math.abs(size - line.size) < line.size * (SIZE_MOST - 1),
  )
  return Math.max(...alike.map(({ right }) => right)) - line.right > SHORT_BY * line.size
}

function linesOf(pieces: readonly Piece[]): Line[] {
  const lines: Line[] = []
  let open: Piece[] = []
  for (const piece of pieces) {
    if (isSeen(piece)) open.push(piece)
    if (piece.hasEOL) open = endLine(open, lines)
  }
  endLine(open, lines)
  return lines
}

/** Add the pieces of one line. Return an empty list for the next line. */
function endLine(pieces: readonly Piece[], lines: Line[]): Piece[] {
  const visiblePieces = pieces.filter(({ str }) => str.trim() !== '')
  if (visiblePieces.length === 0) return []
  const text = inReadingOrder(pieces, visiblePieces)
    .map(({ str }) => str)
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
  const place = lineBox(visiblePieces)
  lines.push({ text, ...place, isRow: pieces.some(({ str, width }) => str.trim() === '' && width > GAP * place.size) })
  return []
}

/** The letters of a piece are in reading order. In right-to-left lines the pieces stand as painted, from the left. */
function inReadingOrder(pieces: readonly Piece[], visiblePieces: readonly Piece[]): readonly Piece[] {
  const toTheLeft = visiblePieces.filter(({ dir }) => dir === 'rtl')
  const isPaintedToTheRight = xOf(visiblePieces[0]) < xOf(visiblePieces.at(-1))
  return isPaintedToTheRight && lettersOf(toTheLeft) * 2 > lettersOf(visiblePieces) ? pieces.toReversed() : pieces
}

function lettersOf(pieces: readonly Piece[]): number {
  return pieces.reduce((letters, { str }) => letters + str.length, 0)
}

function lineBox(pieces: readonly Piece[]): Omit<Line, 'text' | 'isRow'> {
  const left = Math.min(...pieces.map(xOf))
  const right = Math.max(...pieces.map((piece) => xOf(piece) + piece.width))
  const largest = pieces.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a))
  return { left, right, y: largest.transform[5] ?? 0, size: sizeOf(largest) }
}

/** Spaces between words have no size of their own. */
function isSeen(piece: Piece): boolean {
  return piece.str.trim() === '' || sizeOf(piece) >= TINY
}

function sizeOf({ transform }: Piece): number {
  return Math.hypot(transform[2] ?? 0, transform[3] ?? 0)
}

function xOf(piece: Piece | undefined): number {
  return piece?.transform[4] ?? 0
}
