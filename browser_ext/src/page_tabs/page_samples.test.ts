import { describe, expect, it } from 'vitest'
import { isClosedToUs, isQuiet, placeAfter, type Sample } from './page_samples'

const STILL = { scrolledTo: null, isStirred: false }
const complete = (...characters: (number | null)[]): Sample[] =>
  characters.map((count) => ({ ...STILL, characters: count, isComplete: true }))
const loading = (...characters: number[]): Sample[] =>
  characters.map((count) => ({ ...STILL, characters: count, isComplete: false }))
const samplesOf = (count: number, times: number) => complete(...Array<number>(times).fill(count))

describe('a page is quiet', () => {
  it('when its text was the same twice', () => {
    expect(isQuiet(complete(900))).toBe(false)
    expect(isQuiet(complete(500, 900))).toBe(false)
    expect(isQuiet(complete(500, 900, 900))).toBe(true)
  })

  it('later when there is little text, much later when there is none', () => {
    expect([isQuiet(samplesOf(50, 3)), isQuiet(samplesOf(50, 4))]).toEqual([false, true])
    expect([isQuiet(samplesOf(0, 11)), isQuiet(samplesOf(0, 12))]).toEqual([false, true])
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

describe('a page that something was shown to', () => {
  const [first, ...others] = complete(900, 900, 900)

  it('is looked at as often again before it is quiet', () => {
    const stirredSample = { ...first!, isStirred: true }
    expect(isQuiet([stirredSample, others[0]!])).toBe(false)
    expect(isQuiet([stirredSample, ...others])).toBe(true)
  })

  it('is scrolled to its end, and then back to its top, once', () => {
    const samples: Sample[] = [...complete(0, 900)]
    const places = samples.map((_, index) => placeAfter(samples.slice(0, index + 1)))
    expect(places).toEqual(['end', 'end']) // there was nothing to scroll yet
    samples.push({ ...first!, scrolledTo: 'end' })
    expect(placeAfter(samples)).toBe('top')
    samples.push({ ...first!, scrolledTo: 'top' }, ...others)
    expect(placeAfter(samples)).toBe(null)
  })
})

describe('a page is closed to extensions', () => {
  it('when it has loaded and still cannot be looked at', () => {
    expect(isClosedToUs(complete(null, null, null, null))).toBe(false)
    expect(isClosedToUs(complete(null, null, null, null, null))).toBe(true)
    expect(isClosedToUs(complete(null, null, null, null, 5))).toBe(false)
  })
})
