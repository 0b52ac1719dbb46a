// @vitest-environment page
import { describe, expect, it } from 'vitest'
import { costOf } from '../../fake_cost'
import { leadsAway } from './result_links'
import { searchedPage } from './results'

const ENGINE = 'https://www.search.example/?q=x'
const searched = (html: string, url = ENGINE) => {
  const page = new DOMParser().parseFromString(html, 'text/html')
  Object.defineProperty(page, 'URL', { value: url })
  return searchedPage(page, page)
}
const results = (html: string) => searched(html).results
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

describe('a page without results', () => {
  const WALL = `<h1>Confirm you're human</h1>`

  it('is a wall though it links to help elsewhere, and results though they speak of walls', () => {
    expect(searched(WALL + hit('help.example'))).toMatchObject({ results: [], verdict: 'human' })
    expect(searched(WALL + hit('a.example') + hit('b.example')).results).toHaveLength(2)
  })

  it('is a wall by its words and not by those of the question', () => {
    const none = '<p>No results for captcha.</p>'
    expect(searched(none, 'https://www.search.example/?q=captcha').verdict).toBe('none')
    expect(searched('<p>captcha</p>', 'https://www.search.example/?q=captcha').verdict).toBe('unreadable')
    expect(searched('<p>captcha</p>').verdict).toBe('human')
  })

  it.each([
    ['Sorry, nothing. <p>No results found</p>', 'none'],
    ['<div class="no-results"></div>', 'none'],
    ['<p>Before you continue</p>', 'consent'],
    ['<p>Something else</p>', 'unreadable'],
    ['', 'unreadable'],
  ])('says what it is: %s', (html, verdict) => {
    expect(searched(html)).toEqual({ url: ENGINE, results: [], verdict })
  })

  it.each([
    ['https://consent.search.example/?continue=x', 'consent'],
    ['https://www.search.example/sorry/index', 'human'],
  ])('is known by its address: %s', (url, verdict) => {
    expect(searched('<p>Welcome</p>', url).verdict).toBe(verdict)
  })

  const LINK = '<a href="https://a.example/x">A link that leads away</a>'
  it.each([
    ['many links', LINK.repeat(10_000)],
    ['nested links', `${'<div>'.repeat(500)}${LINK}${'</div>'.repeat(500)}`.repeat(20)],
    ['many words', 'no robot keine geen '.repeat(200_000)],
    ['many headings', '<h2>no </h2>'.repeat(10_000)],
  ])('costs little with %s', (_, html) => {
    const page = new DOMParser().parseFromString(html, 'text/html')
    expect(costOf(() => searchedPage(page, page))).toBeLessThan(200)
  })
})

describe('a link of a search engine', () => {
  it.each([
    ['https://a.example/p#part', 'https://a.example/p'],
    ['/l/?uddg=https%3A%2F%2Fa.example%2Fp%3Fx%3D1&rut=ab', 'https://a.example/p?x=1'],
    ['//www.search.example/url?q=http://a.example/&sa=U', 'http://a.example/'],
    ['/settings', null],
    ['/ck/a?!&p=1&u=a1aHR0cHM6Ly9hLmV4YW1wbGUvcD94PTE&ntb=1', 'https://a.example/p?x=1'],
    ['/ck/a?u=a1%%%', null],
    ['/goto?url=CAESxyz', null],
    ['/l/?to=javascript%3Aalert(1)', null],
    ['https://me:secret@a.example/', null],
    ['javascript:alert(1)', null],
    [null, null],
  ])('%s leads to %s', (href, expected) => {
    expect(leadsAway(href, ENGINE)?.url ?? null).toBe(expected)
  })

  it('tells sites apart by more than a country’s suffix', () => {
    expect(leadsAway('https://shop.co.uk/', 'https://www.search.co.uk/')?.isOwnSite).toBe(false)
    expect(leadsAway('https://maps.search.co.uk/', 'https://www.search.co.uk/')?.isOwnSite).toBe(true)
    expect(leadsAway('http://127.0.0.1:2/', 'http://127.0.0.1:1/')?.isOwnSite).toBe(false)
  })
})
