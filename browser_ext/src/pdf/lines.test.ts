import { describe, expect, it } from 'vitest'
import { textOfPieces, type Piece } from './lines'

const WIDE = 400

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
      '• One goes on\n• Two',
    )
    const row = (a: string, b: string, y: number) => [
      line(a, y, { hasEOL: false }),
      line(' ', y, { hasEOL: false, size: 0, width: 60 }),
      line(b, y),
    ]
    expect(textOfPieces([...row('Shot', 'Time', 700), ...row('1', '27 s', 685)])).toBe('Shot Time\n1 27 s')
  })

  it('stand apart in a heading and in the next column', () => {
    expect(textOfPieces([line('Water', 700, { size: 20 }), line('It is brewed', 680)])).toBe('Water\n\nIt is brewed')
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
})
