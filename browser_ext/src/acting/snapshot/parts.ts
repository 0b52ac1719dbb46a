// A snapshot in parts that a model can read at once. A part never cuts a line, and says what is missing.
import { shorten, type Line } from './line'
import { SIBLINGS_MOST } from './siblings'
import type { WholeSnapshot } from './frames'

const PART_CHARACTERS = 12_000
const TITLE_CHARACTERS = 80
const PATH_CHARACTERS = 60
/** Of the line about a folded set, its first line. */
const LIKE_CHARACTERS = 60
/** The longest heading of a part. */
const HEAD_CHARACTERS = 300

export interface Part {
  text: string
  part: number
  parts: number
  /** Of all parts. */
  lines: number
}

/** What each part shows, before its head. */
export interface Layout {
  parts: Line[][]
}

export interface LayoutOptions {
  characters?: number
  folds?: boolean
}

/** Fold what is like its siblings, and fill the parts. What was folded comes after all else. */
export function layOut(
  lines: readonly Line[],
  { characters = PART_CHARACTERS, folds = true }: LayoutOptions = {},
): Layout {
  const room = Math.max(1, characters - HEAD_CHARACTERS)
  const { remaining, sets } = folds ? fold(lines) : { remaining: [...lines], sets: [] }
  const first = fill(remaining, room)
  const rest = fill(sets.flatMap(linesOfSet), room)
  const parts = [...first, ...rest]
  const start = new Map<Line, number>()
  rest.forEach((part, index) => part.forEach((line) => start.set(line, first.length + index + 1)))
  const markers = new Map(sets.map((set) => [set.marker, start.get(set.head) ?? parts.length]))
  return { parts: parts.map((part) => part.map((line) => withPart(line, markers.get(line)))) }
}

/** Return one part with its head. Beyond the last one it is the last. */
export function partOf(page: WholeSnapshot, version: number, number: number, options: LayoutOptions = {}): Part {
  return partIn(layOut(page.lines, options), page, version, number)
}

/** Return all parts: at least one. */
export function partsOf(page: WholeSnapshot, version: number): Part[] {
  const layout = layOut(page.lines)
  const numbers = Array.from({ length: Math.max(1, layout.parts.length) }, (_, index) => index + 1)
  return numbers.map((number) => partIn(layout, page, version, number))
}

function partIn({ parts }: Layout, page: WholeSnapshot, version: number, number: number): Part {
  const count = Math.max(1, parts.length)
  const part = Math.min(Math.max(1, number), count)
  const lines = parts.reduce((sum, { length }) => sum + length, 0)
  const before = parts.slice(0, part - 1).reduce((sum, { length }) => sum + length, 0)
  const own = parts[part - 1] ?? []
  const texts = own.map((line) => (page.newFrom > 0 ? withNewMarks(line.text, page.newFrom) : line.text))
  const range = own.length === 0 ? 'no lines' : `lines ${before + 1}–${before + own.length} of ${lines}`
  const [view, views] = page.view
  const cut = page.isCut ? ', the page is longer' : ''
  const head = `snapshot ${version}: ${headOf(page)}, part ${part} of ${count}, ${range}, view ${view} of ${views}${cut}`
  return { text: [head, ...texts].join('\n'), part, parts: count, lines }
}

function headOf({ title, url }: WholeSnapshot): string {
  const address = URL.canParse(url) ? new URL(url) : null
  const place = address ? address.host + shorten(address.pathname.replace(/^\/$/, ''), PATH_CHARACTERS) : ''
  return [shorten(title, TITLE_CHARACTERS), place].filter((words) => words !== '').join(' — ')
}

/** Mark the controls that are new since the last snapshot. */
function withNewMarks(text: string, newFrom: number): string {
  return text.replace(/\[(\d+)([^\]]*)\]/g, (control, ref: string, rest: string) =>
    Number(ref) >= newFrom ? `[${ref}${rest} *]` : control,
  )
}

// Folding
// -----------------------------------------------------------------------------------------------------------------

interface Folded {
  marker: Line
  head: Line
  lines: Line[]
}

/** Leave the first of each large set of siblings. */
function fold(lines: readonly Line[]): { remaining: Line[]; sets: Folded[] } {
  const items = new Map<number, Set<number>>()
  for (const { sibling } of lines) {
    if (!sibling) continue
    const numbers = items.get(sibling.group) ?? new Set()
    items.set(sibling.group, numbers.add(sibling.item))
  }
  const keptItems = new Map(
    [...items].map(([group, numbers]) => [group, new Set([...numbers].slice(0, SIBLINGS_MOST))]),
  )
  const sets = new Map<number, Folded>()
  const firsts = new Map<number, Line>()
  const remaining: Line[] = []
  for (const line of lines) {
    const group = line.sibling?.group ?? 0
    if (!line.sibling || keptItems.get(group)?.has(line.sibling.item)) {
      remaining.push(line)
      if (!firsts.has(group)) firsts.set(group, line)
      continue
    }
    const set = sets.get(group) ?? newSet((items.get(group)?.size ?? 0) - SIBLINGS_MOST, firsts.get(group))
    if (!sets.has(group)) remaining.push(set.marker)
    sets.set(group, set)
    set.lines.push(line)
  }
  return { remaining, sets: [...sets.values()] }
}

function newSet(count: number, first: Line | undefined): Folded {
  const marker = { text: `… ${count} more like these: find or part `, refs: [] }
  const words = shorten((first?.text ?? '').replace(/\[(\d+) ?([^\]]*)\]/g, '$2'), LIKE_CHARACTERS)
  return { marker, head: { text: `… more like “${words}”:`, refs: [] }, lines: [] }
}

function linesOfSet({ head, lines }: Folded): Line[] {
  return [head, ...lines]
}

function withPart(line: Line, part: number | undefined): Line {
  return part === undefined ? line : { ...line, text: line.text + String(part) }
}

function fill(lines: readonly Line[], room: number): Line[][] {
  const parts: Line[][] = []
  let left = 0
  for (const line of lines) {
    const length = line.text.length + 8 // the end of the line, and marks that come later
    const last = parts.at(-1)
    if (last && length <= left) last.push(line)
    else {
      parts.push([line])
      left = room
    }
    left -= length
  }
  return parts
}
