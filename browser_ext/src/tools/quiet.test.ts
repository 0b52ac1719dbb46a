import { describe, expect, it } from 'vitest'
import { isClosedToUs, isQuiet, type Sample } from './quiet'

const complete = (...characters: (number | null)[]): Sample[] => characters.map((count) => ({ characters: count, isComplete: true }))
const loading = (...characters: number[]): Sample[] => characters.map((count) => ({ characters: count, isComplete: false }))
const repeated = (count: number, times: number) => complete(...Array<number>(times).fill(count))

describe('a page is quiet', () => {
  it('when its text was the same twice', () => {
    expect(isQuiet(complete(900))).toBe(false)
    expect(isQuiet(complete(500, 900))).toBe(false)
    expect(isQuiet(complete(500, 900, 900))).toBe(true)
  })

  it('later when there is little text, much later when there is none', () => {
    expect([isQuiet(repeated(50, 3)), isQuiet(repeated(50, 4))]).toEqual([false, true])
    expect([isQuiet(repeated(0, 11)), isQuiet(repeated(0, 12))]).toEqual([false, true])
  })

  it('later while it still loads', () => {
    expect(isQuiet(loading(900, 900, 900))).toBe(false)
    expect(isQuiet(loading(...Array<number>(8).fill(900)))).toBe(true)
  })

  it('never while it cannot be looked at', () => {
    expect(isQuiet([])).toBe(false)
    expect(isQuiet(complete(900, 900, null))).toBe(false)
  })
})

describe('a page is closed to extensions', () => {
  it('when it has loaded and still cannot be looked at', () => {
    expect(isClosedToUs(complete(null, null, null, null))).toBe(false)
    expect(isClosedToUs(complete(null, null, null, null, null))).toBe(true)
    expect(isClosedToUs(complete(null, null, null, null, 5))).toBe(false)
  })
})
