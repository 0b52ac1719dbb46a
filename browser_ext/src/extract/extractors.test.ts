// @vitest-environment page
import { afterEach, describe, expect, it, vi } from 'vitest'
import { provideDefuddle } from './defuddle'
import { mainOf } from './extractors'
import { atOnce } from './slices'

const defuddle = vi.fn<(visible: Document, url: string) => string>()
afterEach(() => Reflect.deleteProperty(globalThis, 'pennyDefuddle'))

const words =
  'The boiler recovers in fifty-five seconds, and the shot after it runs as long as the one before. '.repeat(4)
const short = 'One short sentence about the boiler stands here.'
const legal = '<footer><p>© All rights reserved, terms and privacy of the shop.</p></footer>'.repeat(20)
const page = (html: string) => new DOMParser().parseFromString(html, 'text/html')
const main = (html: string) => atOnce(mainOf(page(html), 'https://example.com/'))

describe('the extractors', () => {
  it('choose nothing of more blocks than a page for people has', () => {
    const result = main(`<div>${'<p>x</p>'.repeat(100)}</div>`.repeat(201))
    expect(result.extracted_with).toBe('treewalker')
    expect(result.fallbacks[0]).toBe('heuristics: failed (more blocks than can be chosen from)')
  }, 120_000)

  it('choose the blocks of the content, without what stands around it', () => {
    const result = main(`<nav><a href="/">Home</a> <a href="/a">About</a></nav><main><p>${words}</p></main>${legal}`)
    expect(result).toMatchObject({ extracted_with: 'heuristics', text: words.trim(), fallbacks: [] })
  })

  it('fall back to Defuddle where it is loaded, and say why', () => {
    provideDefuddle(defuddle.mockReturnValue(`<p>${words}</p>`))
    const result = main(`<main><p>${short}</p></main>${legal}`)
    expect(result).toMatchObject({ extracted_with: 'defuddle', text: words.trim() })
    expect(result.fallbacks).toEqual(['heuristics: too little text'])
  })

  it('end with all that can be seen but what stands beside it', () => {
    provideDefuddle(
      defuddle.mockImplementation(() => {
        throw new Error('no content')
      }),
    )
    const result = main(`<main><p>${short}</p></main>${legal}`)
    expect(result).toMatchObject({ extracted_with: 'treewalker', text: short })
    expect(result.fallbacks).toEqual(['heuristics: too little text', 'defuddle: failed (no content)'])
  })

  it('do without Defuddle where it is not loaded', () => {
    const result = main(`<main><p>${short}</p></main>${legal}`)
    expect(result).toMatchObject({ extracted_with: 'treewalker', text: short })
    expect(result.fallbacks).toEqual(['heuristics: too little text', 'defuddle: nothing found'])
  })

  it('take a short page as it is', () => {
    expect(main('<p>Just a short page.</p>')).toMatchObject({
      extracted_with: 'heuristics',
      text: 'Just a short page.',
    })
    expect(main('<nav>only a menu</nav>')).toMatchObject({ text: 'only a menu' })
    expect(main('')).toMatchObject({ text: '' })
  })

  it('leave the document as it was for the next one', () => {
    const visible = page(`<main>${words}</main>`)
    atOnce(mainOf(visible, 'https://example.com/'))
    expect(visible.querySelector('main')?.textContent).toBe(words)
  })
})
