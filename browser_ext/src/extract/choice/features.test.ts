// @vitest-environment page
import { describe, expect, it } from 'vitest'
import { costOf } from '../../fake_cost'
import { layoutOf } from '../blocks/blocks'
import { atOnce } from '../slices'
import { featuresOf, rowsOf } from './features'
import { FEATURES, VOTES } from './model'

const layout = (html: string) => atOnce(layoutOf(new DOMParser().parseFromString(html, 'text/html').body))
const PAGE =
  '<nav class="topMenu"><a href="/">Home</a></nav><main><h1>Levers of espresso</h1>' +
  '<p>The boiler recovers in fifty-five seconds, and the shot after it runs as long as the one before.</p>' +
  '<h2>Price</h2><p class="price">129.00 €</p><ul><li>one</li><li>two</li></ul></main>'

function features(html: string, title = '') {
  const page = layout(html)
  const ofPage = atOnce(featuresOf(page, title))
  return page.blocks.map((_, index) => {
    const numbers: Record<string, number> = {}
    const note = (name: string, value: number) => (numbers[name] = value)
    ofPage.page(note)
    ofPage.block(index, note)
    return { numbers, words: ofPage.wordsOf(index) }
  })
}

describe('the features of blocks', () => {
  it('are numbers of the text, its place and its boxes', () => {
    const [menu, title, sentence, , price, first, second] = features(PAGE, 'Levers of espresso | Museum')
    expect(menu?.numbers).toMatchObject({ linked: 1, level: 0, 'in links': 1, 'levels to the core': 2 })
    expect(title?.numbers).toMatchObject({ level: 1, 'in the title': 1, 'blocks from the title': 0 })
    expect(sentence?.numbers).toMatchObject({ sentence: 1, 'headings above': 1, 'words from a long sentence': 0 })
    expect(price?.numbers).toMatchObject({ price: 1, 'headings above': 2, 'level of the heading': 2 })
    expect(first?.numbers).toMatchObject({ 'in lists': 1, 'box 0, like siblings before': 0 })
    expect(second?.numbers).toMatchObject({ 'box 0, like siblings before': 1, 'same two boxes, count': Math.log1p(2) })
    expect(
      features(PAGE)
        .flatMap(({ numbers }) => Object.values(numbers))
        .every(Number.isFinite),
    ).toBe(true)
  })

  it('know the words of names and of headings', () => {
    const [menu, , , , price] = features(PAGE)
    expect(price?.words.near).toEqual(['<main>', '<body>'])
    expect(menu?.words.own).toEqual(['<a>', '<nav>', 'top', 'menu'])
    expect(price?.words.headings).toEqual(['levers', 'of', 'espresso', 'price'])
  })

  it('are rows in the order of the model', () => {
    const rows = atOnce(rowsOf(layout(PAGE), '', ['sentence', 'unknown'], VOTES))
    expect(rows.map((row) => row[0])).toEqual([0, 0, 1, 0, 0, 0, 0])
    expect(rows[0]?.[1]).toBe(0)
  })

  it('count the votes of all words that a block has', () => {
    const html = `<div class="page main"><div class="main text">${PAGE}</div></div>`
    const groups = ['own', 'near', 'all', 'headings'] as const
    const names = groups.flatMap((group) => ['least', 'most', 'mean', 'sum'].map((what) => `${group} words, ${what}`))
    const rows = atOnce(rowsOf(layout(html), '', names, VOTES))
    features(html).forEach(({ words }, index) => {
      const expected = groups.flatMap((group) => {
        const of = group === 'headings' ? VOTES.headings : VOTES.names
        const votes = words[group].flatMap((word) => of.get(word) ?? [])
        const sum = votes.reduce((total, vote) => total + vote, 0)
        return votes.length === 0 ? [0, 0, 0, 0] : [Math.min(...votes), Math.max(...votes), sum / votes.length, sum]
      })
      expected.forEach((value, place) => expect(rows[index]?.[place]).toBeCloseTo(value, 4))
    })
  })

  it.each([
    ['deep boxes', '<div class="a-b c">'.repeat(700) + 'word '.repeat(50) + '</div>'.repeat(700)],
    ['many blocks', '<p class="text body">Some words stand here, in a sentence.</p>'.repeat(2_000)],
    ['many siblings', `<div>${'<i>word</i>'.repeat(5_000)}</div>`],
    ['many names', `<div class="${'name '.repeat(20_000)}"><p>${'word '.repeat(100)}</p></div>`.repeat(20)],
    ['many headings', '<h2>A heading of some words</h2>'.repeat(1_000)],
    ['nested headings', '<h1>One</h1><h2>Two</h2><h3>Three</h3><p>Words.</p>'.repeat(500)],
  ])('cost little with %s', (_, html) => {
    const blocks = layout(html)
    expect(costOf(() => atOnce(rowsOf(blocks, 'word', FEATURES, VOTES)))).toBeLessThan(200)
  })
})
