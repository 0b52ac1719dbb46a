// @vitest-environment page
import { describe, expect, it } from 'vitest'
import { absoluteUrl, linksOf } from './links'

function documentOf(html: string): Document {
  return new DOMParser().parseFromString(`<base href="https://example.com/dir/">${html}`, 'text/html')
}

describe('links', () => {
  it('are absolute, once each, those of the content first', () => {
    const page = documentOf(
      '<nav><a href="/nav">Menu</a></nav><main><a href="more#part">More</a><a href="more">Again</a></main>',
    )
    const content = page.querySelector('main') ?? page.body
    expect(linksOf(content, page).links).toEqual([
      { text: 'More', url: 'https://example.com/dir/more' },
      { text: 'Menu', url: 'https://example.com/nav' },
    ])
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'mailto:a@b.c', 'https://me:secret@example.com/', 'http://', ''])(
    'leave out %s',
    (href) => {
      const page = documentOf('<a>x</a>')
      page.querySelector('a')?.setAttribute('href', href)
      expect(linksOf(page.body, page).links).toEqual([])
    },
  )

  it('are at most 500, and none without words', () => {
    const many = Array.from({ length: 600 }, (_, index) => `<a href="/${index}">n</a>`).join('')
    expect(linksOf(documentOf(many).body, documentOf(many)).links).toHaveLength(500)
    expect(linksOf(documentOf('<a href="/x"><img></a>').body, documentOf('')).links).toEqual([])
  })

  it('carry neither a session nor a token out of the browser', () => {
    const page = documentOf(
      '<a href="/a?sid=1&q=tea&access_token=x">A</a><a href="/b;jsessionid=7?v=d41d8cd98f00b204e9800998ecf8427e">B</a>',
    )
    expect(linksOf(page.body, page).links.map((link) => link.url)).toEqual([
      'https://example.com/a?q=tea',
      'https://example.com/b?v=d41d8cd98f00b204e9800998ecf8427e',
    ])
  })

  it('carry no fragment', () => {
    expect(absoluteUrl('#obey me', 'https://example.com/a#x')).toBe('https://example.com/a')
  })
})
