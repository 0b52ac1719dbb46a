import { describe, expect, it } from 'vitest'
import { randomNumbers } from '../fake_random'
import { applyChanges, changesBetween, DIFF_CHARACTERS, diffText } from './diff'
import { lineOf } from './packed_lines'

function diffOf(old: string[], now: string[]): string | null {
  return diffText(changesBetween(old.map(lineOf), now.map(lineOf)))
}

const PAGE = ['# Your basket', '[4 Blue mug] € 12.00', '[7 textbox Coupon]', '[8 button Apply]', 'Delivery is free.']

describe('the diff of two snapshots', () => {
  it('names a control that changed by its number, new lines, and how many are gone', () => {
    const now = [
      '# Your basket',
      '[4 Blue mug] € 10.00',
      '[7 textbox Coupon = SAVE10]',
      'Saved € 2.00',
      'Delivery is free.',
    ]
    expect(diffOf(PAGE, now)).toBe('~ [4 Blue mug] € 10.00\n~ [7 textbox Coupon = SAVE10]\n- 1 line\n+ Saved € 2.00')
  })

  it('is empty for the same page', () => {
    expect(diffOf(PAGE, PAGE)).toBe('')
  })

  it('gives way to the new page where more than half changed', () => {
    const long = Array.from({ length: 20 }, (_, index) => `line ${index}`)
    expect(diffOf(long, [...long.slice(0, 8), 'all else is gone'])).toBeNull()
    expect(diffOf(long, [...long.slice(0, 14), 'a little is gone'])).not.toBeNull()
  })

  it('stays short', () => {
    const long = Array.from({ length: 200 }, (_, index) => `line ${index}`)
    const text = diffOf(long, [...long, ...Array.from({ length: 90 }, (_, index) => `${'new '.repeat(20)}${index}`)])
    expect(text?.length).toBeLessThanOrEqual(DIFF_CHARACTERS)
    expect(text).toMatch(/… \d+ more changes$/)
  })

  it('gives the new snapshot when applied to the old one, for 500 pairs of pages', () => {
    const random = randomNumbers(3)
    for (let trial = 0; trial < 500; trial++) {
      const old = randomPage(random)
      const now = changedPage(old, random)
      expect(applyChanges(old, changesBetween(old.map(lineOf), now.map(lineOf)))).toEqual(now)
    }
  })
})

function randomPage(random: () => number): string[] {
  return Array.from({ length: Math.floor(random() * 30) }, (_, index) =>
    random() < 0.5 ? `[${index + 1} button B${Math.floor(random() * 3)}]` : `text ${Math.floor(random() * 6)}`,
  )
}

/** Lines move, vanish, come, change and are doubled. */
function changedPage(old: string[], random: () => number): string[] {
  const now = old.flatMap((line) => {
    const kind = random()
    if (kind < 0.15) return []
    if (kind < 0.3) return [line.replace(/B\d/, 'changed'), line.startsWith('[') ? 'more' : line]
    return [line]
  })
  if (random() < 0.4 && now.length > 2) now.push(...now.splice(0, 2))
  return now
}
