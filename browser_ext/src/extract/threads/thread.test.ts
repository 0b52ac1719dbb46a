// @vitest-environment page
// The same pages are read in real browsers by the tests of the whole. jsdom lays nothing out: every box is given here.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { threadOf, type Thread } from './thread'
import { textOf } from '../blocks/text_of'
import { oneLine } from '../plain_text'
import { atOnce } from '../slices'
import { visibleDocument } from '../visibility/visible_copy'

type Row = [author: string, when: string, score: string, depth: number, text: string]

const FOLDER = '../tests/stand_ins/threads'
const ROWS = JSON.parse(readFileSync(`${FOLDER}/posts.json`, 'utf8')) as Record<string, Row[]>

beforeAll(() => {
  const box = { left: 10, top: 10, width: 100, height: 20, right: 110, bottom: 30 } as DOMRect
  Element.prototype.getBoundingClientRect = () => box
  Range.prototype.getBoundingClientRect = () => box
  Element.prototype.checkVisibility = () => true
})

function visibleCopy(html: string): Document {
  document.documentElement.innerHTML = html
  return atOnce(visibleDocument(document))
}

const standIn = (name: string) => readFileSync(`${FOLDER}/${name}.html`, 'utf8')
const parsed = (html: string) => new DOMParser().parseFromString(html, 'text/html')
const rowsOf = (thread: Thread | null) =>
  thread?.posts.map(({ author, when, score, depth, body }) => [author, when, score, depth, oneLine(textOf(body))])

describe.each(Object.keys(ROWS))('a thread of %s', (name) => {
  let visible: Document, before: string, after: string, thread: Thread | null

  beforeAll(() => {
    visible = visibleCopy(standIn(name))
    before = visible.documentElement.outerHTML
    thread = threadOf(visible)
    after = visible.documentElement.outerHTML
  })

  it('has all posts with their own words only', () => expect(rowsOf(thread)).toEqual(ROWS[name]))

  it('leaves the copy as it is', () => expect(after).toBe(before))

  if (name === 'mastodon') return // a post there has no title

  it('has a title', () => {
    const title = oneLine(thread?.title?.textContent ?? '')
    expect(visible.title).toContain(title.replace(/^Thread: | #\d+$/, ''))
    expect(title).not.toBe('')
  })
})

describe('a thread', () => {
  it('has the time of the machine only where none is shown', () => {
    const html = standIn('flarum').replaceAll(/(<time[^>]*>)May [^<]*/g, '$1&nbsp;')
    expect(threadOf(visibleCopy(html))?.posts[0]?.when).toBe('2025-05-03T08:10:00Z')
  })

  it('has no posts without words', () => {
    const html = standIn('flarum').replace(/(<div class="Post-body">)[^]*?(?=<footer)/, '$1&nbsp;</div>')
    expect(rowsOf(threadOf(visibleCopy(html)))).toEqual(ROWS.flarum?.slice(1))
  })
})

describe('what is no thread', () => {
  const words = '<p>The boiler recovers in fifty-five seconds, and the next shot runs as long as the last one.</p>'
  const byline = '<cite class="author">Ann</cite> <time datetime="2025-05-03">May 3</time>'

  it.each([
    ['a text', words],
    [
      'a page with notes',
      `<main>${words}<div class="note"><div class="note-body"><div class="md">${words}</div></div></div></main>`,
    ],
    [
      'an article with comments',
      `<article class="post">${words.repeat(5)}</article><ol class="comment-list"><li class="comment">
        <article class="comment-body">${byline}<div class="comment-content">${words}</div></article></li></ol>`,
    ],
    [
      'an article with marked comments',
      `<article itemscope itemtype="https://schema.org/Article">${words.repeat(5)}<div itemscope
        itemtype="https://schema.org/Comment"><b itemprop="author">Ann</b><div itemprop="text">${words}</div></div></article>`,
    ],
    [
      'a page with a few marked questions',
      `<main>${words.repeat(9)}<div itemscope itemtype="https://schema.org/QAPage"><div itemscope
        itemtype="https://schema.org/Question"><b itemprop="author">Ann</b><p itemprop="text">Why?</p></div></div></main>`,
    ],
    [
      'a list of statuses',
      `<div class="status"><b class="display-name">Ann</b><div class="status__content">${words}</div></div>`,
    ],
    [
      'a list of links',
      '<table><tr class="athing"><td><span class="titleline"><a href="/">A link</a></span></td></tr></table>',
    ],
    [
      'a link without answers',
      `<div class="commentarea"></div><div id="siteTable"><div class="thing link"><a class="title" href="/">A link</a>
        <a class="author">ann</a></div></div>`,
    ],
    ['a gist', `<div class="timeline-comment"><a class="author">ann</a><div class="comment-body">${words}</div></div>`],
    ['a heading with a pre', `<h1>Notes</h1><b>Ann</b><pre>${words}</pre>`],
    ['a form for mails', `<div class="email"><label>Email</label><div class="email-body">${words}</div></div>`],
  ])('is %s', (_, html) => {
    expect(threadOf(parsed(html))).toBeNull()
  })
})

describe('a large page', () => {
  const comment = (inner: string) =>
    `<div class="comment"><article class="comment-node"><a class="person-listing">ann</a><div class="comment-content">
      Some words</div></article>${inner}</div>`

  function nested(count: number): Document {
    const page = parsed('')
    let outer: Element = page.body
    for (let number = 0; number < count; number++) {
      outer.insertAdjacentHTML('beforeend', comment(''))
      outer = outer.lastElementChild ?? outer
    }
    return page
  }

  it.each([
    ['nested posts', () => nested(2_000)],
    ['posts beside each other', () => parsed(comment('').repeat(2_000))],
  ])(
    'is bounded with %s',
    (_, make) => {
      const posts = threadOf(make())?.posts
      expect(posts).toHaveLength(1_000)
      expect(Math.max(...(posts ?? []).map(({ depth }) => depth))).toBeLessThanOrEqual(12)
    },
    120_000,
  )

  it('has short lines', () => {
    const long = 'long'.repeat(10_000)
    const html = `<div class="comment"><a class="person-listing">${long}</a><i class="moment-time">${long}</i><p class="comment-content">x</p></div>`
    const [post] = threadOf(parsed(html))?.posts ?? []
    expect([post?.author.length, post?.when.length]).toEqual([120, 120])
  })
})
