// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { leadsAway, resultsIn } from './results'

const ENGINE = 'https://www.search.example/?q=x'
const results = (html: string) => resultsIn(new DOMParser().parseFromString(html, 'text/html'), ENGINE)
const hit = (site: string, extra = '') =>
  `<div><a href="https://${site}/p"><h3>About ${site}</h3></a><cite>${site} › p</cite><p>What ${site} says.</p>${extra}</div>`

describe('search results', () => {
  it('are headings that lead to other sites, with the text around them', () => {
    expect(results(hit('a.example') + hit('b.example'))).toEqual([
      { title: 'About a.example', url: 'https://a.example/p', snippet: 'What a.example says.' },
      { title: 'About b.example', url: 'https://b.example/p', snippet: 'What b.example says.' },
    ])
  })

  it('are found without headings too', () => {
    const row = (site: string) => `<p><a href="https://${site}/">A page of ${site}</a><br>Some words.</p>`
    expect(results(row('a.example') + row('b.example')).map(({ title, snippet }) => [title, snippet])).toEqual([
      ['A page of a.example', 'Some words.'],
      ['A page of b.example', 'Some words.'],
    ])
  })

  it('are at most ten, each address once, without the engine itself, its navigation and its advertisements', () => {
    const many = Array.from({ length: 14 }, (_, index) => hit(`s${index}.example`)).join('')
    const others = `<nav>${hit('nav.example')}</nav><div><a href="https://maps.search.example/"><h3>Maps</h3></a></div>`
    const hits = results(others + hit('ad.example', '<span>Sponsored</span>') + hit('s0.example') + many)
    expect(hits.map((result) => new URL(result.url).hostname)).toEqual(
      Array.from({ length: 10 }, (_, index) => `s${index}.example`),
    )
  })

  it('do not take half the page for the words of a single one', () => {
    const [only] = results(`<main><p>${'Long words. '.repeat(300)}</p>${hit('a.example')}</main>`)
    expect(only?.snippet).toBe('What a.example says.')
  })
})

describe('a link of a search engine', () => {
  it.each([
    ['https://a.example/p#part', 'https://a.example/p'],
    ['/l/?uddg=https%3A%2F%2Fa.example%2Fp%3Fx%3D1&rut=ab', 'https://a.example/p?x=1'],
    ['//www.search.example/url?q=http://a.example/&sa=U', 'http://a.example/'],
    ['/settings', null],
    ['/l/?to=https%3A%2F%2Fnews.search.example%2F', null],
    ['/l/?to=javascript%3Aalert(1)', null],
    ['https://me:secret@a.example/', null],
    ['javascript:alert(1)', null],
    [null, null],
  ])('%s leads to %s', (href, expected) => {
    expect(leadsAway(href, ENGINE)).toBe(expected)
  })

  it('tells sites apart by more than a country’s suffix', () => {
    expect(leadsAway('https://shop.co.uk/', 'https://www.search.co.uk/')).toBe('https://shop.co.uk/')
    expect(leadsAway('https://maps.search.co.uk/', 'https://www.search.co.uk/')).toBeNull()
    expect(leadsAway('http://127.0.0.1:2/', 'http://127.0.0.1:1/')).toBe('http://127.0.0.1:2/')
  })
})
