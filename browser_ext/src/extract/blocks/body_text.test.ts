// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { layoutOf } from './blocks'
import { keepOnly, likeliestBlocks, likelihoods } from './body_text'
import { atOnce } from '../slices'
import { textOf } from './text_of'

const body = (html: string) => new DOMParser().parseFromString(html, 'text/html').body

describe('the own text of a page', () => {
  it('is made of the blocks of which most words are expected to be right', () => {
    const { blocks } = atOnce(
      layoutOf(body('<p>one two three four</p><p>five six seven eight</p><p>nine ten eleven twelve</p>')),
    )
    expect(likeliestBlocks(blocks, [0.9, 0.1, 0.8]).keeps).toEqual([true, false, true])
    expect(likeliestBlocks(blocks, [0.9, 0.7, 0.8]).keeps).toEqual([true, true, true])
  })

  it('keeps the likeliest where nothing is likely', () => {
    const { blocks } = atOnce(layoutOf(body('<p>one two</p><p>three four</p>')))
    expect(likeliestBlocks(blocks, [0.01, 0.02])).toMatchObject({ keeps: [false, true] })
    expect(likeliestBlocks([], [])).toEqual({ keeps: [], expectedScore: 0 })
  })

  it('leaves the other blocks out, and what held nothing else', () => {
    const page = body('<ul><li>one</li><li>two</li></ul><p>three <b>four</b></p>')
    keepOnly(atOnce(layoutOf(page)), [false, false, true])
    expect([textOf(page), page.querySelector('ul')]).toEqual(['three four', null])
  })

  it('weighs the signs that it knows', () => {
    const [likely] = likelihoods(
      [
        new Map([
          ['linked', 1],
          ['unknown', 5],
        ]),
      ],
      { bias: 1, linked: -1 },
    )
    expect(likely).toBe(0.5)
  })
})
