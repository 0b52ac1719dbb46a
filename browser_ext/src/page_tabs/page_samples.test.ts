import { describe, expect, it } from 'vitest'
import { isClosedToUs, isQuiet, pauseAfter, placeAfter, type Sample } from './page_samples'

const STILL = { characters: 900, isComplete: true, scrolledTo: null, isStirred: false }
const MOST_MS = 60_000

/** The looks at a page that looks as given at each time, until it is quiet. */
function looksAt(page: (at: number) => Partial<Sample>): Sample[] {
  const samples: Sample[] = []
  for (let at = 0; !isQuiet(samples) && at < MOST_MS; at += pauseAfter(samples))
    samples.push({ ...STILL, ...page(at), at })
  return samples
}

const quietAt = (page: (at: number) => Partial<Sample>) => looksAt(page).at(-1)?.at ?? 0

describe('a page is quiet', () => {
  it('when its text was the same in two looks', () => {
    expect(quietAt(() => ({}))).toBe(50)
  })

  it('soon after the last change', () => {
    const changed = quietAt((at) => ({ characters: at < 300 ? 500 + at : 900 }))
    expect(changed).toBeGreaterThanOrEqual(350)
    expect(changed).toBeLessThan(450)
  })

  it('later when there is little text, much later when there is none', () => {
    expect(quietAt(() => ({ characters: 50 }))).toBeGreaterThanOrEqual(1_500)
    expect(quietAt(() => ({ characters: 50 }))).toBeLessThan(2_500)
    expect(quietAt(() => ({ characters: 0 }))).toBeGreaterThanOrEqual(5_500)
  })

  it('later while it still loads', () => {
    expect(quietAt(() => ({ isComplete: false }))).toBeGreaterThanOrEqual(3_500)
  })

  it('at last when it never stops changing, after few looks', () => {
    const looks = looksAt((at) => ({ characters: 500 + at }))
    expect(looks.at(-1)?.at).toBeGreaterThanOrEqual(7_500)
    expect(looks.at(-1)?.at).toBeLessThan(9_000)
    expect(looks.length).toBeLessThan(30)
  })

  it('never while it cannot be looked at', () => {
    expect(quietAt(() => ({ characters: null }))).toBeGreaterThan(MOST_MS - 1_000)
    expect(isQuiet([])).toBe(false)
  })
})

describe('a page that something was shown to', () => {
  it('is looked at again before it is quiet', () => {
    expect(quietAt((at) => ({ isStirred: at < 100 }))).toBeGreaterThanOrEqual(100)
    expect(quietAt((at) => ({ isStirred: at < 1_000 }))).toBeGreaterThanOrEqual(1_000)
  })

  it('is scrolled to its end, and then back to its top, once', () => {
    const [sample] = looksAt(() => ({}))
    const samples: Sample[] = [sample!]
    expect([placeAfter([]), placeAfter(samples)]).toEqual(['end', 'end']) // there was nothing to scroll yet
    samples.push({ ...sample!, scrolledTo: 'end' })
    expect(placeAfter(samples)).toBe('top')
    samples.push({ ...sample!, scrolledTo: 'top' }, sample!)
    expect(placeAfter(samples)).toBe(null)
  })

  it('again and again where it is read for a list that grows, within a bound', () => {
    const scrolled: string[] = []
    const samples: Sample[] = []
    for (let at = 0; at < 10_000; at += 100) {
      const place = placeAfter(samples, true)
      if (place) scrolled.push(`${place} at ${String(at)}`)
      const characters = 1_000 * (1 + scrolled.filter((words) => words.startsWith('end')).length)
      samples.push({ ...STILL, characters: place ? characters - 1_000 : characters, scrolledTo: place, at })
    }
    expect(scrolled).toEqual(['end at 0', 'end at 200', 'end at 400', 'end at 600', 'end at 800', 'top at 900'])
  })

  it('once where a list does not grow', () => {
    const samples: Sample[] = []
    for (let at = 0; at < 3_000; at += 100) samples.push({ ...STILL, scrolledTo: placeAfter(samples, true), at })
    expect(samples.filter(({ scrolledTo }) => scrolledTo).map(({ at, scrolledTo }) => [at, scrolledTo])).toEqual([
      [0, 'end'],
      [900, 'top'],
    ])
  })
})

describe('a page is closed to extensions', () => {
  const looks = (...characters: (number | null)[]) =>
    characters.map((count, index) => ({ ...STILL, characters: count, at: index * 500 }))

  it('when it has loaded and still cannot be looked at', () => {
    expect(isClosedToUs(looks(null, null, null, null))).toBe(false)
    expect(isClosedToUs(looks(null, null, null, null, null))).toBe(true)
    expect(isClosedToUs(looks(null, null, null, null, 5))).toBe(false)
    expect(isClosedToUs([])).toBe(false)
  })
})
