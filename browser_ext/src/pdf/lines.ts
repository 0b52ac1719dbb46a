// The lines of one PDF page. A PDF has none: only pieces of text with positions.

/** A piece of text from pdf.js. `transform` is [a, b, c, d, x, y] in points, y upwards. */
export interface Piece {
  str: string
  dir: string
  transform: readonly number[]
  width: number
  hasEOL: boolean
}

export interface Line {
  text: string
  left: number
  right: number
  y: number
  size: number
  /** Its parts, where the gaps between them are too wide for a missing word. A line of text has one. */
  cells: Cell[]
}

interface Cell {
  text: string
  left: number
  right: number
}

/** Smaller letters are unreadable. */
const TINY = 2
/** In letter sizes: a wider gap parts cells or columns. */
const GAP = 2
/** So many lines of two long parts that begin at the same places are columns. */
const COLUMN_LINES = 6
const COLUMN_SHARE = 0.6
const COLUMN_LETTERS = 25
const SAME_PLACE = 1.5

/** Return the lines of a page in the order in which they are read. Columns are read one after the other. */
export function linesOfPieces(pieces: readonly Piece[]): Line[] {
  const lines = linesOf(pieces)
  const rows = lines.filter(isOfColumns)
  const [first] = rows
  if (!first || rows.length < COLUMN_LINES || rows.length < COLUMN_SHARE * lines.length) return lines
  const areAlike = rows.every(
    ({ cells }) => Math.abs(leftOf(cells[1]) - leftOf(first.cells[1])) < SAME_PLACE * first.size,
  )
  if (!areAlike) return lines
  const begin = lines.indexOf(first)
  const end = lines.lastIndexOf(rows.at(-1) ?? first) + 1
  const within = lines.slice(begin, end)
  const gutter = leftOf(first.cells[1])
  const left = within.flatMap((line) => partOf(line, (cell) => cell.left < gutter - first.size))
  const right = within.flatMap((line) => partOf(line, (cell) => cell.left >= gutter - first.size))
  return [...lines.slice(0, begin), ...left, ...right, ...lines.slice(end)]
}

function isOfColumns({ cells }: Line): boolean {
  return cells.length === 2 && cells.every(({ text }) => text.length >= COLUMN_LETTERS)
}

function leftOf(cell: Cell | undefined): number {
  return cell?.left ?? 0
}

function partOf(line: Line, isPart: (cell: Cell) => boolean): Line[] {
  const cells = line.cells.filter(isPart)
  const [first, last] = [cells[0], cells.at(-1)]
  if (!first || !last) return []
  const text = cells.map((cell) => cell.text).join(' ')
  return [{ ...line, text, left: first.left, right: last.right, cells: [{ ...first, text, right: last.right }] }]
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
  const ordered = inReadingOrder(pieces, visiblePieces)
  const box = lineBox(visiblePieces)
  lines.push({ text: joinedText(ordered), ...box, cells: cellsOf(ordered, box.size) })
  return []
}

function joinedText(pieces: readonly Piece[]): string {
  return pieces
    .map(({ str }) => str)
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

function cellsOf(pieces: readonly Piece[], size: number): Cell[] {
  const parts: Piece[][] = [[]]
  for (const piece of pieces) {
    if (piece.str.trim() === '' && piece.width > GAP * size) parts.push([])
    else parts.at(-1)?.push(piece)
  }
  return parts.flatMap((part) => {
    const visiblePieces = part.filter(({ str }) => str.trim() !== '')
    if (visiblePieces.length === 0) return []
    const { left, right } = lineBox(visiblePieces)
    return [{ text: joinedText(part), left, right }]
  })
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

function lineBox(pieces: readonly Piece[]): Omit<Line, 'text' | 'cells'> {
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
