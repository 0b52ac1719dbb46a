// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest'

const defuddle = vi.hoisted(() => ({ parse: vi.fn<() => { content: string }>() }))
const readability = vi.hoisted(() => ({ parse: vi.fn<() => { content: string } | null>() }))
vi.mock('defuddle', () => ({ default: class { parse = defuddle.parse } }))
vi.mock('@mozilla/readability', () => ({ Readability: class { parse = readability.parse } }))

const { mainOf } = await import('./ladder')

const words = 'The boiler recovers in fifty-five seconds. '.repeat(10)
const page = (html: string) => new DOMParser().parseFromString(html, 'text/html')
const main = (html: string) => mainOf(page(html), 'https://example.com/')

describe('the ladder', () => {
  it('takes the best extractor that answers', () => {
    defuddle.parse.mockReturnValue({ content: `<p>${words}</p>` })
    expect(main(`<nav>menu</nav><p>${words}</p>`)).toMatchObject({ extracted_with: 'defuddle', text: words.trim(), fallbacks: [] })
  })

  it('says which rungs did not answer, and why', () => {
    defuddle.parse.mockImplementation(() => {
      throw new Error('no content')
    })
    readability.parse.mockReturnValue({ content: '<p>too little</p>' })
    const found = main(`<nav>menu</nav><main><p>${words}</p></main><footer>foot</footer>`)
    expect(found).toMatchObject({ extracted_with: 'heuristics', text: words.trim() })
    expect(found.fallbacks).toEqual(['defuddle: failed (no content)', 'readability: too little text'])
  })

  it('ends with all that can be seen but what stands beside it', () => {
    defuddle.parse.mockReturnValue({ content: '' })
    readability.parse.mockReturnValue(null)
    const found = main(`<nav>menu</nav><div>${words}</div><footer>foot</footer>`)
    expect(found).toMatchObject({ extracted_with: 'treewalker', text: words.trim() })
    expect(found.fallbacks).toHaveLength(3)
    expect(main('<nav>only a menu</nav>')).toMatchObject({ extracted_with: 'treewalker', text: 'only a menu' })
  })

  it('takes a short page as it is, when most of it was found', () => {
    defuddle.parse.mockReturnValue({ content: '<p>Just a short page.</p>' })
    expect(main('<p>Just a short page.</p>')).toMatchObject({ extracted_with: 'defuddle', text: 'Just a short page.' })
  })

  it('leaves the document as it was for the next rung', () => {
    defuddle.parse.mockReturnValue({ content: '' })
    const seen = page(`<main>${words}</main>`)
    mainOf(seen, 'https://example.com/')
    expect(seen.querySelector('main')?.textContent).toBe(words)
  })
})
