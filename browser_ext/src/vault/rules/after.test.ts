// @vitest-environment page
// jsdom has no layout: everything can be seen here that is not hidden by the test.
import { beforeEach, describe, expect, it } from 'vitest'
import { privateSignsOf } from '../../extract/private_signs'
import { AFTER, whyNotKept, type ReadPage } from './after'
import { ORDINARY_PAGES, PRIVATE_PAGES, type FakePage } from './fake_pages'

const TEXT = 'Whoever turns the lever lets water through the coffee, and waits until the cup is full. '.repeat(4)

beforeEach(() => {
  Element.prototype.checkVisibility = function () {
    return this.closest('[hidden]') === null
  }
})

function read([, title, body, head = '']: FakePage, more: Partial<ReadPage> = {}): ReadPage {
  document.head.innerHTML = head
  document.body.innerHTML = `${body}<p>${TEXT}</p>`
  window.history.replaceState(null, '', '/plain')
  const signs = privateSignsOf(document)
  const text = [...document.body.children].map((part) => part.textContent).join('\n')
  return { title, text, words: 80, masked: 0, maskedCharacters: 0, signs, isChosen: false, ...more }
}

const whyNot = (page: FakePage, more: Partial<ReadPage> = {}) => whyNotKept(read(page, more))

describe('pages of the owner’s own, under names that tell nothing', () => {
  it.each(PRIVATE_PAGES)('are not kept: %s', (...page) => expect(whyNot(page)).not.toBeNull())

  it('are so many, in so many languages', () => expect(PRIVATE_PAGES.length).toBeGreaterThanOrEqual(60))
})

describe('pages for everybody', () => {
  it.each(ORDINARY_PAGES)('are kept: %s', (...page) => expect(whyNot(page)).toBeNull())

  it('are so many', () => expect(ORDINARY_PAGES.length).toBeGreaterThanOrEqual(40))
})

const PLAIN: FakePage = ['plain', 'Levers', '<h1>Levers</h1>']
const OWN_RULES: [rule: string, page: FakePage, more?: Partial<ReadPage>][] = [
  ['few_words', PLAIN, { words: 39 }],
  ['secret_field', ['', 'Levers', '<input type="password">']],
  ['payment_frame', ['', 'Levers', '<iframe src="https://checkoutshopper-live.adyen.com/x"></iframe>']],
  ['personal_form', ['', 'Levers', '<input name="street"><input name="zip">']],
  ['masked', PLAIN, { maskedCharacters: 12, masked: 1 }],
  ['masked', PLAIN, { masked: 2 }],
  ['cut_number', ['', 'Levers', '<p>•••• 4242</p>']],
  ['kind', ['', 'Levers', '<button>Place order</button><h2>Delivery address</h2>']],
  [
    'published_kind',
    [
      '',
      'Levers',
      '<button>Place order</button><h2>Delivery address</h2><h2>Payment method</h2>',
      '<link rel="canonical" href="/plain">',
    ],
  ],
  ['signed_in', ['', 'Levers', '<button>Log out</button>']],
  ['written', ['', 'Levers', '<textarea></textarea>']],
]

describe('a rule', () => {
  it.each(OWN_RULES)('keeps out what no other does: %s', (rule, page, more = {}) => {
    expect(whyNot(page, more)).toBe(rule)
    const { [rule]: _, ...others } = AFTER
    expect(whyNotKept(read(page, more), others)).toBeNull()
  })

  it('stands for each name', () =>
    expect(new Set(OWN_RULES.map(([rule]) => rule))).toEqual(new Set(Object.keys(AFTER))))
})

describe('on a site that the owner chose', () => {
  const isChosen = { isChosen: true }

  it('a page without signs of an own account is kept', () => {
    expect(whyNot(['', 'Levers', '<button>Log out</button>'], isChosen)).toBeNull()
    expect(whyNot(['', 'Levers', '<textarea></textarea>'], isChosen)).toBeNull()
    expect(whyNot(['', 'Tax return', '<h2>Refunds</h2>'], isChosen)).toBeNull()
  })

  it.each(PRIVATE_PAGES.filter(([what]) => /^(?:mail|sign-in|code|card|checkout f)/.test(what)))(
    'mail, secrets and forms are not: %s',
    (...page) => expect(whyNot(page, isChosen)).not.toBeNull(),
  )
})

describe('what can be seen', () => {
  it('alone counts', () => expect(whyNot(['', 'Levers', '<div hidden><input type="password"></div>'])).toBeNull())

  it('counts in a shadow tree too', () => {
    const page = read(['', 'Levers', '<x-login></x-login>'])
    document.querySelector('x-login')!.attachShadow({ mode: 'open' }).innerHTML = '<input type="password">'
    expect(whyNotKept({ ...page, signs: privateSignsOf(document) })).toBe('secret_field')
  })

  it('is never what the owner wrote', () => {
    const { controls } = read(['', '', '<textarea aria-label="Note">my secret</textarea>']).signs
    expect(controls).toEqual(['Note'])
  })
})
