// The text of a PDF in the page form: paragraphs, headings by the size of their letters, items, rows of tables.
import type { Line } from './lines'

/** In letter sizes: a larger step down begins a new paragraph. */
const STEP_MOST = 1.7
const STEP_LEAST = 0.3
/** Letters of another size are a heading or a note. */
const SIZE_MOST = 1.15
/** In letter sizes: a line that ends so far left of its neighbours ended on purpose. */
const SHORT_BY = 6
const SAME_LEFT = 3
const INDENT = 0.8
/** Number of lines before and after that count as neighbours. */
const AROUND = 20
const HYPHEN = /\p{L}[-\u2010\u00AD]$/u
const BULLET = /^[•‣▪◦●○■–—*-]\s+/
const ITEM = /^(?:[•‣▪◦●○■–—*-]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s/
const PARTED = '\u0000'
const HEADING_CHARACTERS = 200
const LEVELS = 4
/** A line that stands at the same end of so many pages is the page's own. */
const REPEATED = 3

/** Return the text of all pages. A page without lines is an empty one. */
export function textOfPages(pages: readonly Line[][]): string {
  const own = pages.map(withoutRepeated(pages))
  const levels = levelsOf(own.flat())
  return own.map((lines) => textOfLines(lines, levels)).join('\n\n')
}

/** The text of the lines of one page, with a line for each paragraph, and an empty line where the page leaves space. */
function textOfLines(lines: readonly Line[], levels: ReadonlyMap<number, number>): string {
  const tables = tableRows(lines)
  const parts = lines.map((line, at) => {
    const before = lines[at - 1]
    const around = lines.slice(Math.max(0, at - AROUND), at + AROUND)
    const level = levels.get(roundedSize(line))
    const isGoingOn = before !== undefined && level !== undefined && levels.get(roundedSize(before)) === level
    const edge = before ? between(before, line, around, tables) : ''
    if (level && !tables.has(line) && line.text.length <= HEADING_CHARACTERS)
      return isGoingOn && !edge.includes('\n\n')
        ? ` ${line.text}`
        : `${before ? '\n\n' : ''}${'#'.repeat(level)} ${line.text}`
    return edge + (tables.get(line) ?? itemText(line.text))
  })
  return parts.join('').replace(/.\u0000/gu, '') // a word that was parted at the end of a line is made whole again
}

function itemText(text: string): string {
  return text.replace(BULLET, '- ')
}

function between(before: Line, line: Line, around: readonly Line[], tables: ReadonlyMap<Line, string>): string {
  if (tables.has(before) !== tables.has(line)) return '\n\n'
  if (tables.has(line)) return '\n'
  const step = (before.y - line.y) / before.size
  if (step < STEP_LEAST || step > STEP_MOST) return '\n\n'
  if (Math.max(before.size, line.size) > Math.min(before.size, line.size) * SIZE_MOST) return '\n\n'
  if (HYPHEN.test(before.text) && /^\p{Ll}/u.test(line.text)) return PARTED
  // the continued lines of a list item are indented
  const isIndented = !ITEM.test(before.text) && line.left - before.left > INDENT * line.size
  const isRow = before.cells.length > 1 || line.cells.length > 1
  return isIndented || isRow || ITEM.test(line.text) || endsShort(before, around) ? '\n' : ' '
}

function endsShort(line: Line, around: readonly Line[]): boolean {
  const alike = around.filter(
    ({ left, size }) =>
      Math.abs(left - line.left) < SAME_LEFT * line.size && Math.abs(size - line.size) < line.size * (SIZE_MOST - 1),
  )
  return Math.max(...alike.map(({ right }) => right)) - line.right > SHORT_BY * line.size
}

/**
 * The rows of tables: neighbours with the same number of cells, at least two. A first row without figures is a header.
 */
function tableRows(lines: readonly Line[]): ReadonlyMap<Line, string> {
  const rows = new Map<Line, string>()
  for (let at = 0; at < lines.length;) {
    const count = lines[at]?.cells.length ?? 0
    let end = at + 1
    while (count > 1 && lines[end]?.cells.length === count) end++
    const table = lines.slice(at, end)
    if (count > 1 && table.length > 1) table.forEach((line, index) => rows.set(line, rowText(line, index, table)))
    at = end
  }
  return rows
}

function rowText({ cells }: Line, index: number, table: readonly Line[]): string {
  const row = `| ${cells.map(({ text }) => text.replaceAll('|', '\\|')).join(' | ')} |`
  const isHeader = index === 0 && !hasFigures(table[0]) && hasFigures(table[1])
  return isHeader ? `${row}\n|${'---|'.repeat(cells.length)}` : row
}

function hasFigures(line: Line | undefined): boolean {
  return line?.cells.some(({ text }) => /\d/.test(text)) ?? false
}

/** The level of a heading by the size of its letters: those that are larger than the letters of most of the text. */
function levelsOf(lines: readonly Line[]): ReadonlyMap<number, number> {
  const letters = new Map<number, number>()
  for (const line of lines) letters.set(roundedSize(line), (letters.get(roundedSize(line)) ?? 0) + line.text.length)
  const [usual] = [...letters].reduce((most, size) => (size[1] > most[1] ? size : most), [0, 0])
  const larger = [...letters.keys()].filter((size) => size > usual * SIZE_MOST).sort((a, b) => b - a)
  return new Map(larger.map((size, index) => [size, Math.min(index + 1, LEVELS)]))
}

function roundedSize({ size }: Line): number {
  return Math.round(size * 2) / 2
}

/** Titles and numbers of pages stand at the same end of many, apart from the text. */
function withoutRepeated(pages: readonly Line[][]): (lines: Line[]) => Line[] {
  const counts = new Map<string, number>()
  for (const lines of pages)
    for (const end of ENDS) counts.set(keyAt(lines, end), (counts.get(keyAt(lines, end)) ?? 0) + 1)
  const isOwn = (lines: Line[], end: End) =>
    keyAt(lines, end) !== '' && (counts.get(keyAt(lines, end)) ?? 0) >= REPEATED
  return (lines) => lines.slice(isOwn(lines, 'first') ? 1 : 0, isOwn(lines, 'last') ? -1 : undefined)
}

type End = 'first' | 'last'
const ENDS: readonly End[] = ['first', 'last']

/** The words of the line at one end of a page without its figures, or "" if the line is part of the text. */
function keyAt(lines: readonly Line[], end: End): string {
  const [line, next] = end === 'first' ? lines : lines.toReversed()
  if (!line || !next || lines.length < REPEATED) return ''
  const isApart = Math.abs(line.y - next.y) > STEP_MOST * Math.min(line.size, next.size)
  return isApart && line.text.length <= HEADING_CHARACTERS ? `${end} ${line.text.replace(/\d+/g, '#')}` : ''
}
