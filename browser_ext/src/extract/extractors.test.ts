// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest'

const defuddle = vi.hoisted(() => ({ parse: vi.fn<() => { content: string }>() }))
const readability = vi.hoisted(() => ({ parse: vi.fn<() => { content: string } | null>() }))
vi.mock('defuddle', () => ({
  default: class {
    parse = defuddle.parse
  },
}))
vi.mock('@mozilla/readability', () => ({
  Readability: class {
    parse = readability.parse
  },
}))

const { likeness, mainOf } = await import('./extractors')
const { atOnce } = await import('./slices')

const words =
  'The boiler recovers in fifty-five seconds, and the shot after it runs as long as the one before. '.repeat(4)
const short = 'One short sentence about the boiler stands here.'
const legal = '<footer><p>© All rights reserved, terms and privacy of the shop.</p></footer>'.repeat(20)
const page = (html: string) => new DOMParser().parseFromString(html, 'text/html')
const main = (html: string) => atOnce(mainOf(page(html), 'https://example.com/'))

describe('the ladder', () => {
  it('takes the own text of the page, without what stands around it', () => {
    defuddle.parse.mockReturnValue({ content: '<p>Only half.</p>' })
    const result = main(`<nav><a href="/">Home</a> <a href="/a">About</a></nav><main><p>${words}</p></main>${legal}`)
    expect(result).toMatchObject({ extracted_with: 'heuristics', text: words.trim(), fallbacks: [] })
  })

  it('takes what Defuddle makes of it where both say the same', () => {
    defuddle.parse.mockReturnValue({ content: `<h1>The boiler</h1><p>${words}</p>` })
    expect(main(`<main><p>${words}</p></main>`)).toMatchObject({
      extracted_with: 'defuddle',
      text: `The boiler\n\n${words.trim()}`,
    })
  })

  const paragraphs = (count: number, words: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => words(index)).join('')
  const doubtful = paragraphs(
    9,
    (index) =>
      `<div><p>Once more, on day ${index}, the boiler took a while, and nobody knew why it did.</p><a href="/${index}">Read it all</a></div>`,
  )

  it('takes it too where the own text may well be wrong', () => {
    defuddle.parse.mockReturnValue({ content: `<p>${words}</p>` })
    expect(main(`<aside>${doubtful}</aside>`)).toMatchObject({ extracted_with: 'defuddle', text: words.trim() })
    expect(main(`<main>${doubtful}</main>`)).toMatchObject({ extracted_with: 'heuristics' })
  })

  it('does not take it for the whole where it is one part of much', () => {
    defuddle.parse.mockReturnValue({ content: `<p>${words}</p>` })
    const much = paragraphs(
      40,
      (index) =>
        `<div><p>Once more, on day ${index}, the boiler took a while, and nobody knew why it did.</p><a href="/${index}">Read it all</a></div>`,
    )
    expect(main(`<aside>${much}</aside>`)).toMatchObject({ extracted_with: 'heuristics' })
  })

  it('says which rungs did not answer, and why', () => {
    defuddle.parse.mockImplementation(() => {
      throw new Error('no content')
    })
    readability.parse.mockReturnValue({ content: `<p>${words}</p>` })
    const result = main(`<main><p>${short}</p></main>${legal}`)
    expect(result).toMatchObject({ extracted_with: 'readability', text: words.trim() })
    expect(result.fallbacks).toEqual(['heuristics: too little text', 'defuddle: failed (no content)'])
  })

  it('ends with all that can be seen but what stands beside it', () => {
    defuddle.parse.mockReturnValue({ content: '' })
    readability.parse.mockReturnValue(null)
    const result = main(`<main><p>${short}</p></main>${legal}`)
    expect(result).toMatchObject({ extracted_with: 'treewalker', text: short })
    expect(result.fallbacks).toHaveLength(3)
  })

  it('takes a short page as it is', () => {
    defuddle.parse.mockReturnValue({ content: '' })
    expect(main('<p>Just a short page.</p>')).toMatchObject({
      extracted_with: 'heuristics',
      text: 'Just a short page.',
    })
    expect(main('<nav>only a menu</nav>')).toMatchObject({ text: 'only a menu' })
  })

  it('leaves the document as it was for the next rung', () => {
    defuddle.parse.mockReturnValue({ content: '' })
    const visible = page(`<main>${words}</main>`)
    atOnce(mainOf(visible, 'https://example.com/'))
    expect(visible.querySelector('main')?.textContent).toBe(words)
  })
})

describe('likeness', () => {
  it('is the share of words that two texts have in common', () => {
    expect(likeness('a boiler a day', 'A day, a boiler')).toBe(1)
    expect(likeness('a b', 'b c')).toBe(0.5)
    expect(likeness('', '')).toBe(0)
  })
})
