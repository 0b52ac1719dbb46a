// @vitest-environment page
import { describe, expect, it } from 'vitest'
import { layoutOf } from '../blocks/blocks'
import { keepOnly, likeliestBlocks } from './likeliest_blocks'
import { atOnce } from '../slices'
import { textOf } from '../blocks/text_of'

const body = (html: string) => new DOMParser().parseFromString(html, 'text/html').body

describe('the own text of a page', () => {
  it('is made of the blocks of which most words are expected to be right', () => {
    const layout = atOnce(
      layoutOf(body('<p>one two three four</p><p>five six seven eight</p><p>nine ten eleven twelve</p>')),
    )
    expect(likeliestBlocks(layout, [0.9, 0.1, 0.8])).toEqual([true, false, true])
    expect(likeliestBlocks(layout, [0.9, 0.7, 0.8])).toEqual([true, true, true])
  })

  it('keeps the likeliest where nothing is likely', () => {
    const layout = atOnce(layoutOf(body('<p>one two</p><p>three four</p>')))
    expect(likeliestBlocks(layout, [0.01, 0.02])).toEqual([false, true])
    expect(likeliestBlocks({ blocks: [], boxes: [] }, [])).toEqual([])
  })

  it('leaves the other blocks out, and what held nothing else', () => {
    const page = body('<ul><li>one</li><li>two</li></ul><p>three <b>four</b></p>')
    keepOnly(atOnce(layoutOf(page)), [false, false, true])
    expect([textOf(page), page.querySelector('ul')]).toEqual(['three four', null])
  })

  it('are kept once where the page repeats them', () => {
    const long = '<p>The boiler recovers within fifty-five seconds of a shot.</p>'
    const layout = atOnce(layoutOf(body(`${long}<p>one</p>${long}<p>one</p>`)))
    expect(likeliestBlocks(layout, [0.9, 0.9, 0.95, 0.9])).toEqual([true, true, false, true])
  })

  it('hold the title of the page, and not that of the site', () => {
    const layout = atOnce(layoutOf(body('<header><h1>Site</h1></header><h1>Title</h1><p>one two</p><h1>Another</h1>')))
    expect(likeliestBlocks(layout, [0.1, 0.1, 0.9, 0.1])).toEqual([false, true, true, false])
  })

  it('hold a heading between two of them', () => {
    const layout = atOnce(layoutOf(body('<p>one two</p><h2>Three</h2><p>four five</p><h2>Related</h2><p>six</p>')))
    expect(likeliestBlocks(layout, [0.9, 0.1, 0.9, 0.1, 0.1])).toEqual([true, true, true, false, false])
    expect(likeliestBlocks(layout, [0.1, 0.1, 0.9, 0.1, 0.1])).toEqual([false, false, true, false, false])
  })

  it('hold a table whole of which most is chosen, and a caption between chosen blocks', () => {
    const rows = '<tr><th>Weight of it</th><td>640 grams</td></tr><tr><th>Burrs</th><td>steel</td></tr>'
    const table = atOnce(layoutOf(body(`<table>${rows}</table><p>one</p>`)))
    expect(likeliestBlocks(table, [0.9, 0.9, 0.1, 0.1, 0.1])).toEqual([true, true, true, true, false])
    expect(likeliestBlocks(table, [0.1, 0.1, 0.9, 0.9, 0.9])).toEqual([false, false, true, true, true])
    const among = atOnce(layoutOf(body(`<p>${'word '.repeat(60)}</p><table>${rows}</table>`)))
    expect(likeliestBlocks(among, [0.9, 0.1, 0.1, 0.1, 0.1])).toEqual([true, true, true, true, true])
    const menu = atOnce(layoutOf(body(`<table>${rows.replaceAll(/<(th|td)>/g, '<$1><a href="/">')}</table>`)))
    expect(likeliestBlocks(menu, [0.9, 0.9, 0.1, 0.1])).toEqual([true, true, false, false])
    const figure = atOnce(layoutOf(body('<p>one two</p><figure><figcaption>three</figcaption></figure><p>four</p>')))
    expect(likeliestBlocks(figure, [0.9, 0.1, 0.9])).toEqual([true, true, true])
    expect(likeliestBlocks(figure, [0.9, 0.1, 0.1])).toEqual([true, false, false])
  })
})
