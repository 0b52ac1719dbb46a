// Tables of data as rows of cells. Tables that only place parts of a page are not.
import { countWords } from '../blocks/blocks'

const ROWS = ':scope > tr, :scope > thead > tr, :scope > tbody > tr, :scope > tfoot > tr'
const COLUMNS_MOST = 50
/** More words in a cell on average are those of a table for the layout, unless it has headers. */
const CELL_WORDS = 25
const HEADED_CELL_WORDS = 80

export interface Row {
  cells: Element[]
  isHeader: boolean
}

/** Return the rows of a table of data, or null. */
export function rowsOfData(table: Element): Row[] | null {
  const role = table.getAttribute('role')
  if (role === 'presentation' || role === 'none' || table.querySelector('table')) return null
  const rows = [...table.querySelectorAll(ROWS)].map(rowOf).filter(({ cells }) => cells.length > 0)
  const columns = rows.map(({ cells }) => cells.length)
  const wide = columns.filter((count) => count > 1).length
  const hasHeaders = rows.some(({ cells }) => cells.some(isHeaderCell))
  if (wide < (hasHeaders ? 1 : 2) || wide * 2 < rows.length) return null
  const cells = columns.reduce((sum, count) => sum + count, 0)
  const words = countWords(table.textContent ?? '') / cells
  return words <= (hasHeaders ? HEADED_CELL_WORDS : CELL_WORDS) ? rows : null
}

function rowOf(row: Element, index: number): Row {
  const cells = [...row.children].filter(({ tagName }) => tagName === 'TD' || tagName === 'TH')
  const isHead = row.parentElement?.tagName === 'THEAD'
  return { cells, isHeader: isHead || (index === 0 && cells.length > 1 && cells.every(isHeaderCell)) }
}

function isHeaderCell({ tagName }: Element): boolean {
  return tagName === 'TH'
}

/** Return the line of a row. A cell over several columns is followed by empty ones. */
export function rowLine(cells: readonly Element[], textOfCell: (cell: Element) => string): string {
  const texts = cells.flatMap((cell) => [textOfCell(cell).replaceAll('|', '\\|'), ...emptyAfter(cell)])
  return `| ${texts.slice(0, COLUMNS_MOST).join(' | ')} |`
}

export function ruleLine(cells: readonly Element[]): string {
  const columns = cells.reduce((sum, cell) => sum + 1 + emptyAfter(cell).length, 0)
  return `|${'---|'.repeat(Math.min(columns, COLUMNS_MOST))}`
}

function emptyAfter(cell: Element): string[] {
  const columns = Number(cell.getAttribute('colspan') ?? 1)
  return Array.from({ length: Math.min(Math.max(columns - 1, 0), COLUMNS_MOST) || 0 }, () => '')
}
