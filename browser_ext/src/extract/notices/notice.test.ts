// @vitest-environment page
// The same pages are read in a real browser by `tests/bench/reality`. jsdom lays nothing out.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { noticeOf } from './notice'
import { withoutConsentBoxes } from './consent_boxes'
import { countWords } from '../blocks/blocks'
import { textOf } from '../blocks/text_of'
import { IN_FRONT } from '../visibility/form_marks'

interface Row {
  name: string
  kind: string | null
  isWhole: boolean
  title: string
  html: string
}

const ROWS = JSON.parse(readFileSync('../tests/stand_ins/notices.json', 'utf8')) as Row[]
const NAMES = ROWS.map(({ name }) => name)

beforeAll(() => {
  Element.prototype.checkVisibility = () => true
})

function noticeIn({ title, html }: Row, url = 'https://lever.example/a') {
  const page = new DOMParser().parseFromString(`<title>${title}</title>${html}`, 'text/html')
  Object.defineProperty(page, 'URL', { value: url })
  const visible = page.cloneNode(true) as Document
  visible.querySelectorAll('nav, footer').forEach((part) => part.remove())
  const text = textOf(visible.body)
  return noticeOf(page, page, { text, words: countWords(text), all: textOf(page.body) })
}

describe('a notice', () => {
  it.each(NAMES)('is told, or none, on %s', (name) => {
    const row = ROWS.find((one) => one.name === name) as Row
    const expected = row.kind && { kind: row.kind, isWhole: row.isWhole }
    expect(noticeIn(row)).toEqual(expected)
  })

  it('is told by an address too', () => {
    const row = { name: '', kind: null, isWhole: false, title: 'Lever', html: '<p>Weiter</p>' }
    expect(noticeIn(row, 'https://consent.lever.example/')?.kind).toBe('consent')
    expect(noticeIn(row, 'https://lever.example/sorry/index')?.kind).toBe('human')
    expect(noticeIn(row)).toBeNull()
    expect(noticeIn(row, 'https://lever.example/consent')).toBeNull()
  })
})

describe('a page cannot keep the look for notices busy', () => {
  it.each([
    ['a title', `${'-'.repeat(200_000)}x`, '<p>One</p>'],
    ['a title with spaces of its own', `${'\u00A0'.repeat(200_000)}x`, '<p>One</p>'],
    ['a heading', 'Lever', `<h1>${'-'.repeat(200_000)}x</h1>`],
    ['its only line', 'Lever', `<div id="root">loading${'.'.repeat(200_000)}x</div><script></script>`],
  ])('with %s', (_what, title, html) => {
    expect(noticeIn({ name: '', kind: null, isWhole: false, title, html })).toBeNull()
  })
})

describe('a box about cookies', () => {
  const BOX = `<div ${IN_FRONT}><p>We and our 812 partners use cookies.</p><button>Accept all</button></div>`
  const left = (html: string) => {
    const page = new DOMParser().parseFromString(html, 'text/html')
    return { text: withoutConsentBoxes(page), rest: textOf(page.body) }
  }

  it('is taken away where it stands in front of the page', () => {
    expect(left(`<p>Words</p>${BOX}`)).toEqual({
      text: 'We and our 812 partners use cookies.\n\nAccept all',
      rest: 'Words',
    })
  })

  it.each([
    ['another box', `<div ${IN_FRONT}><p>Write to us</p><button>Chat</button></div>`],
    ['one without a choice', `<div ${IN_FRONT}><p>Oat cookies, baked today</p><a href="/x">Read</a></div>`],
    ['one in the text', '<div><p>We use cookies.</p><button>Accept all</button></div>'],
    [
      'a long page in a frame of its own',
      `<div ${IN_FRONT}>${'Cookies and words. '.repeat(300)}<button>Accept</button></div>`,
    ],
  ])('is not %s', (_what, html) => {
    const { text, rest } = left(html)
    expect([text, rest.length > 5]).toEqual(['', true])
  })
})
