import { describe, expect, it } from 'vitest'
import { textOfPages } from './form'
import { linesOfPieces, type Piece } from './lines'

const WIDE = 400
const textOfPieces = (pieces: readonly Piece[]) => textOfPages([linesOfPieces(pieces)])

function line(str: string, y: number, options: Partial<Piece> & { x?: number; size?: number } = {}): Piece {
  const { x = 72, size = 12, width = WIDE, ...more } = options
  return { str, dir: 'ltr', transform: [size, 0, 0, size, x, y], width, hasEOL: true, ...more }
}

describe('the words of a page', () => {
  it('are one line for each paragraph, and stand apart where there is space', () => {
    const page = [line('It is brewed with', 700), line('water.', 685, { width: 40 }), line('Hotter water', 655)]
    expect(textOfPieces(page)).toBe('It is brewed with water.\n\nHotter water')
  })

  it('are whole again where a line parted them', () => {
    expect(textOfPieces([line('A tempera-', 700), line('ture of', 685)])).toBe('A temperature of')
    expect(textOfPieces([line('Trieste-', 700), line('Graz', 685)])).toBe('Trieste- Graz')
  })

  it('stand in lines of their own after one that ends early, with an indent, in a list and in a table', () => {
    expect(textOfPieces([line('Short', 700, { width: 40 }), line('A longer one', 685)])).toBe('Short\nA longer one')
    expect(textOfPieces([line('One', 700), line('Two', 685, { x: 90 })])).toBe('One\nTwo')
    expect(textOfPieces([line('• One', 700), line('goes on', 685, { x: 90 }), line('• Two', 670)])).toBe(
      '- One goes on\n- Two',
    )
    const row = (a: string, b: string, y: number) => [
      line(a, y, { hasEOL: false }),
      line(' ', y, { hasEOL: false, size: 0, width: 60 }),
      line(b, y),
    ]
    expect(textOfPieces([...row('Shot', 'Time', 700), ...row('1', '27 s', 685)])).toBe(
      '| Shot | Time |\n|---|---|\n| 1 | 27 s |',
    )
  })

  it('stand apart in a heading and in the next column', () => {
    expect(textOfPieces([line('Water', 700, { size: 20 }), line('It is brewed', 680)])).toBe('# Water\n\nIt is brewed')
    expect(textOfPieces([line('the left', 100), line('The right', 700, { x: 320 })])).toBe('the left\n\nThe right')
  })

  it('of a line that runs to the left are in the order in which they are read', () => {
    const piece = (str: string, x: number, hasEOL = false) => line(str, 700, { x, dir: 'rtl', width: 10, hasEOL })
    expect(textOfPieces([piece('ג', 72), piece('ב', 82), piece('א', 92, true)])).toBe('אבג')
    expect(textOfPieces([piece('א', 92), piece('ב', 82), piece('ג', 72, true)])).toBe('אבג')
  })

  it('leave out letters that nobody reads', () => {
    expect(textOfPieces([line('Seen', 700, { hasEOL: false }), line('tiny', 700, { size: 1 })])).toBe('Seen')
  })

  it('of two columns are read one column after the other, also where the file goes line by line', () => {
    const row = (a: string, b: string, y: number) => [
      line(a, y, { hasEOL: false, width: 200 }),
      line(' ', y, { hasEOL: false, size: 0, width: 40 }),
      line(b, y, { x: 312, width: 200 }),
    ]
    const left = Array.from({ length: 7 }, (_, at) => `The left column, line ${String(at)} of it`)
    const right = Array.from({ length: 7 }, (_, at) => `The right column, line ${String(at)} of it`)
    const rows = left.flatMap((words, at) => row(words, right[at] ?? '', 680 - 15 * at))
    expect(textOfPieces([line('Title', 720, { size: 24 }), ...rows])).toBe(
      ['# Title', left.join(' '), right.join(' ')].join('\n\n'),
    )
  })
})

describe('the pages of a file', () => {
  const page = (...lines: Piece[]) => linesOfPieces(lines)

  it('have headings by the size of their letters in all of it', () => {
    const first = page(line('The machine', 720, { size: 24 }), line('A history', 690, { size: 18 }))
    const second = page(
      line('The spring', 720, { size: 18 }),
      line('of 1962', 700, { size: 18 }),
      line('It holds nine bar. '.repeat(3), 670),
    )
    expect(textOfPages([first, second])).toBe(
      `# The machine\n\n## A history\n\n## The spring of 1962\n\n${'It holds nine bar. '.repeat(3).trim()}`,
    )
  })

  it('lose the titles and numbers that stand on each', () => {
    const pages = ['one', 'two', 'three'].map((words, at) =>
      page(
        line('A history of levers', 760),
        line(`Chapter ${words}`, 700),
        line(`Words of ${words}`, 600),
        line(`page ${String(at + 7)}`, 40),
      ),
    )
    expect(textOfPages(pages)).toBe(
      ['one', 'two', 'three'].map((words) => `Chapter ${words}\n\nWords of ${words}`).join('\n\n'),
    )
  })

  it('have rows of a table only where lines have the same cells', () => {
    const cells = (y: number, ...words: string[]) =>
      words.flatMap((word, at) => [
        line(word, y, { x: 72 + 100 * at, width: 40, hasEOL: at === words.length - 1 }),
        ...(at < words.length - 1 ? [line(' ', y, { hasEOL: false, size: 0, width: 60 })] : []),
      ])
    const lines = page(
      ...cells(700, 'Part', 'Price'),
      ...cells(685, 'Gasket|new', '4.50'),
      ...cells(670, 'a', 'b', 'c'),
    )
    expect(textOfPages([lines])).toBe('| Part | Price |\n|---|---|\n| Gasket\\|new | 4.50 |\n\na b c')
  })
})
