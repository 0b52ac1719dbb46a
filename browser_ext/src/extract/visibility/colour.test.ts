import { describe, expect, it } from 'vitest'
import { contrast, over, parseColour, type Colour } from './colour'

const white: Colour = { red: 255, green: 255, blue: 255, alpha: 1 }
const colour = (text: string) => parseColour(text) ?? white

describe('a colour', () => {
  it.each([
    ['rgb(1, 2, 3)', { red: 1, green: 2, blue: 3, alpha: 1 }],
    ['rgba(1, 2, 3, 0.5)', { red: 1, green: 2, blue: 3, alpha: 0.5 }],
    ['rgb(1 2 3 / 50%)', { red: 1, green: 2, blue: 3, alpha: 0.5 }],
    ['color(srgb 1 0 0 / 0.25)', { red: 255, green: 0, blue: 0, alpha: 0.25 }],
    ['transparent', { red: 0, green: 0, blue: 0, alpha: 0 }],
  ])('%s is read', (text, expected) => {
    expect(parseColour(text)).toEqual(expected)
  })

  it('of another space counts by its lightness', () => {
    expect(contrast(colour('oklch(1 0 0)'), white)).toBeCloseTo(1, 1)
    expect(contrast(colour('lab(0 0 0)'), white)).toBeCloseTo(21, 0)
    expect(colour('oklab(0.5 0.1 0.1 / 0.5)').alpha).toBe(0.5)
  })

  it.each(['', 'currentcolor', 'rgb(a b c)', 'url(x)'])('is not %s', (text) => {
    expect(parseColour(text)).toBeNull()
  })

  it('stands out as WCAG counts it', () => {
    expect(contrast(colour('rgb(0,0,0)'), white)).toBe(21)
    expect(contrast(colour('rgb(254,254,254)'), white)).toBeLessThan(1.25)
    expect(over(colour('rgba(0,0,0,0.5)'), white)).toEqual({ red: 127.5, green: 127.5, blue: 127.5, alpha: 1 })
  })
})
