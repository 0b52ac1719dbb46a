import { describe, expect, it } from 'vitest'
import { findLines } from './find'
import type { WholeSnapshot } from './frames'
import { lineOf } from './packed_lines'
import { layOut, partOf, partsOf } from './parts'

function page(texts: string[], more: Partial<WholeSnapshot> = {}): WholeSnapshot {
  const lines = texts.map(lineOf)
  return {
    url: 'https://shop.example/cart',
    title: 'Checkout',
    lines,
    refs: 0,
    newFrom: 0,
    next: 1,
    view: [2, 5],
    frames: [],
    isCut: false,
    ...more,
  }
}

const LONG = Array.from({ length: 400 }, (_, index) => `[${index + 1} button Number ${index}] ${'x'.repeat(60)}`)

describe('the parts of a snapshot', () => {
  it('are all those that can be asked for one by one, and at least one', () => {
    const parts = partsOf(page(LONG), 3)
    expect(parts.length).toBeGreaterThan(2)
    expect(parts).toEqual(parts.map(({ part }) => partOf(page(LONG), 3, part)))
    expect(partsOf(page([]), 1)).toHaveLength(1)
  })

  it('begin with what they are of', () => {
    const { text } = partOf(page(['a', 'b']), 3, 1)
    expect(text).toBe('snapshot 3: Checkout — shop.example/cart, part 1 of 1, lines 1–2 of 2, view 2 of 5\na\nb')
  })

  it.each([12_000, 4_000, 1_000])('have at most %d characters, and together every whole line', (characters) => {
    const whole = page(LONG)
    const { parts } = partOf(whole, 1, 1, { characters })
    const texts = Array.from({ length: parts }, (_, index) => partOf(whole, 1, index + 1, { characters }).text)
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(characters)
    expect(texts.flatMap((text) => text.split('\n').slice(1))).toEqual(LONG)
  })

  it('say that the page is longer', () => {
    expect(partOf(page(['a'], { isCut: true }), 1, 1).text).toContain('view 2 of 5, the page is longer\n')
  })

  it('show what was folded after all else', () => {
    const lines = LONG.slice(0, 20).map((text, item) => ({ ...lineOf(text), sibling: { group: 1, item } }))
    const { parts } = layOut([...lines, lineOf('End')])
    expect(parts.map((part) => part.map(({ text }) => text.slice(0, 40)))).toEqual([
      [...LONG.slice(0, 12).map((text) => text.slice(0, 40)), '… 8 more like these: find or part 2', 'End'],
      [
        `… more like “button Number 0 ${'x'.repeat(12)}`.slice(0, 40),
        ...LONG.slice(12, 20).map((text) => text.slice(0, 40)),
      ],
    ])
  })
})

describe('lines are looked up', () => {
  const ROWS = [
    '[902 textbox Pieces = 1] [903 button Add to basket]',
    '[904] for it [905 button Send] [906 button Pay]',
  ]
  const layout = layOut(
    [...LONG, '[900 Café Zürich] open', '[901 textbox Zürich]', ...ROWS].map((line) =>
      typeof line === 'string' ? lineOf(line) : line,
    ),
  )

  it.each([
    ['zurich CAFE', '', [900]],
    ['zürich', 'textbox', [901]],
    ['', 'textbox', [901, 902]],
    ['zürich', 'link', [900]],
    ['', '', []],
    ['nowhere', '', []],
    ['basket', '', [903]],
    ['pieces', '', [902]],
    ['button pay', '', [906]],
    ['for it', '', [undefined]],
  ])('by “%s” and role “%s”', (words, role, refs) => {
    expect(findLines(layout, words, role).map(({ ref }) => ref)).toEqual(refs)
  })

  it('with the part they are in, and 20 at most', () => {
    const matches = findLines(layout, 'number')
    expect(matches).toHaveLength(20)
    expect(findLines(layout, 'zurich')[0]).toEqual({
      line: '[900 Café Zürich] open',
      part: layout.parts.length,
      ref: 900,
    })
  })
})
