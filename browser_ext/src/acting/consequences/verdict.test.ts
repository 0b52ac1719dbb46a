// @vitest-environment page
// @vitest-environment-options { "url": "https://site.example/page" }
import { describe, expect, it } from 'vitest'
import { type Doing, KINDS } from './kinds'
import { consequencesOf, consequencesOfOpening } from './verdict'
import { meaningOf } from './name_words'
import words from './words.json'

const LANGUAGES = 'en de fr es it nl pt pl sv da cs tr ja zh ko'.split(' ')
const SITE = 'site.example'

function judged(html: string, name = '', doing: Doing = { do: 'click' }): string {
  document.body.innerHTML = html
  const element = document.querySelector('#it') as HTMLElement
  const { kinds, certainty, ownerTask } = consequencesOf({ element, name }, doing, SITE)
  return [kinds.join(' ') || 'free', certainty, ownerTask ?? ''].join(' ').trim()
}

const ENTER: Doing = { do: 'enter' }
const SET: Doing = { do: 'set', submit: false }
const SUBMIT: Doing = { do: 'set', submit: true }
const form = (attributes: string, fields: string, button = '<button id="it">▶</button>') =>
  `<form ${attributes}>${fields}${button}</form>`

describe('a form', () => {
  it.each([
    ['POST', form('method="post"', '<input name="a">'), 'submit sure'],
    ['POST by its button', form('', '<input>', '<button id="it" formmethod="post"></button>'), 'submit sure'],
    ['a search by role', form('role="search"', '<input><input><input>'), 'free sure'],
    ['a search by type', form('', '<input type="search">'), 'free sure'],
    ['few fields with an address', form('action="/list"', '<input><input>'), 'free sure'],
    ['few fields without an address, that scripts may handle', form('', '<input>'), 'free none'],
    ['three text fields', form('action="/list"', '<input><input><input>'), 'submit sure'],
    ['long text', form('action="/list"', '<textarea></textarea>'), 'submit sure'],
    ['a search elsewhere', form('action="https://x.example/"', '<input type="search">'), 'leave sure'],
    [
      'a search with a password',
      form('', '<input type="search"><input type="password">'),
      'sign_in credential submit sure',
    ],
    ['signing in', form('method="post"', '<input><input type="password">'), 'sign_in credential submit sure'],
    [
      'a new password',
      form('method="post"', '<input type="password"><input type="password">'),
      'account credential submit sure new_password',
    ],
    ['a card', form('method="post"', '<input autocomplete="cc-number">'), 'credential submit sure'],
    [
      'an open captcha',
      form('method="post"', '<textarea name="g-recaptcha-response"></textarea>'),
      'submit sure captcha',
    ],
    ['a solved captcha', form('method="post"', '<textarea name="g-recaptcha-response">ok</textarea>'), 'submit sure'],
    [
      'a spoken method',
      form('method="post"', '<input type="hidden" name="_method" value="delete">'),
      'delete submit sure',
    ],
    ['an address that deletes', form('action="/item/4/delete"', '<input>'), 'delete sure'],
    [
      'a field called elements',
      form('method="post"', '<input name="elements"><input type="password">'),
      'sign_in credential submit sure',
    ],
    ['a form of a dialog', form('method="dialog"', ''), 'free none'],
  ])('%s', (_what, html, verdict) => {
    expect(judged(html, '▶')).toBe(verdict)
  })
})

describe('Enter and fields', () => {
  it.each<[string, string, Doing, string]>([
    [
      'Enter in a form',
      form('method="post"', '<input id="it">', '<button>Place order</button>'),
      ENTER,
      'buy submit sure',
    ],
    ['Enter in a form without button', form('method="post"', '<input id="it">', ''), ENTER, 'submit sure'],
    ['Enter in a search', form('role="search"', '<input id="it">', ''), ENTER, 'free sure'],
    ['Enter in a text that may be a message', '<textarea id="it"></textarea>', ENTER, 'free none'],
    ['Enter in a lone field', '<input id="it">', ENTER, 'free none'],
    ['Enter in a lone search', '<input type="search" id="it">', ENTER, 'free sure'],
    ['Enter on a button', '<button id="it">Pay now</button>', ENTER, 'free none'],
    ['setting a field', form('method="post"', '<input id="it">'), SET, 'free sure'],
    ['setting and submitting', form('method="post"', '<input id="it">', ''), SUBMIT, 'submit sure'],
    ['a password', '<input type="password" id="it">', SET, 'credential sure'],
    [
      'a new password',
      '<input type="password" autocomplete="new-password" id="it">',
      SET,
      'credential sure new_password',
    ],
    [
      'submits on change',
      form('method="post"', '<select id="it" onchange="this.form.submit()"></select>', ''),
      SET,
      'submit sure',
    ],
    [
      'its form submits on change',
      form('method="post" data-auto-submit', '<select id="it"></select>', ''),
      SET,
      'submit sure',
    ],
    ['a library sends it', '<select id="it" hx-post="/speed"></select>', SET, 'submit sure'],
    [
      'a click on a box that submits',
      form('method="post" onchange="submit()"', '<input type="checkbox" id="it">', ''),
      { do: 'click' },
      'submit sure',
    ],
    ['a file', '<input type="file" id="it">', { do: 'click' }, 'upload sure'],
  ])('%s', (_what, html, doing, verdict) => {
    expect(judged(html, '', doing)).toBe(verdict)
  })
})

describe('controls and words', () => {
  it.each([
    ['a final word', '<button id="it">', 'Place order', 'buy words'],
    ['a start word on a button', '<button id="it">', 'Buy', 'buy words'],
    ['a start word on a link', '<a id="it" href="/mug">', 'Buy', 'free sure'],
    ['a start word that opens a menu', '<button id="it" aria-haspopup="menu">', 'Share', 'free sure'],
    ['a final word that discloses', '<button id="it" aria-expanded="false">', 'Delete', 'delete words'],
    ['nothing known', '<button id="it">', '🛸', 'free none'],
    ['a name without end', '<button id="it">', 'Show more '.repeat(1_000_000), 'free none'],
    ['a final word at the end of it', '<button id="it">', `${'Show more '.repeat(1_000_000)} pay now`, 'buy words'],
    ['invisible letters between', '<button id="it">', 'P\u200bay n\u00adow', 'buy words'],
    ['a link elsewhere', '<a id="it" href="https://x.example">', 'x', 'leave sure'],
    ['a mail link', '<a id="it" href="mailto:a@b.example">', 'x', 'leave sure'],
    ['a subdomain', '<a id="it" href="https://www.site.example">', 'x', 'free sure'],
    ['a like host', '<a id="it" href="https://notsite.example">', 'x', 'leave sure'],
    ['a link for a script', '<a id="it" href="javascript:go()">', 'Delete', 'delete words'],
    ['a link that deletes by script', '<a id="it" href="/item/4" data-method="delete">', 'x', 'delete submit sure'],
    ['a download', '<a id="it" href="/a" download>', 'x', 'download sure'],
    ['a captcha', '<div role="checkbox" id="it">', "I'm not a robot", 'free sure captcha'],
    ['OK in a dialog', '<div role="dialog">Delete this?<button id="it">OK</button>', 'OK', 'delete confirm words'],
    [
      'Cancel in a question about cancelling',
      '<dialog open>Cancel your order?<button id="it">Cancel</button>',
      'Cancel',
      'delete words',
    ],
    ['Cancel in another', '<dialog open>Delete this?<button id="it">Cancel</button>', 'Cancel', 'free words'],
  ])('%s', (_what, html, name, verdict) => {
    expect(judged(html, name)).toBe(verdict)
  })
})

it.each([
  ['https://site.example/item/4', 'free sure'],
  ['https://site.example/item/delete?id=4', 'delete sure'],
  ['https://site.example/?action=remove&id=4', 'delete sure'],
  ['https://site.example/list?unsubscribe=me', 'account sure'],
  ['https://site.example/log-out', 'account sure'],
  ['https://site.example/mail/confirm/9f', 'confirm sure'],
  ['https://site.example/app/approve', 'grant sure'],
  ['https://site.example/pay', 'buy sure'],
  ['https://site.example/order/4/cancel', 'delete sure'],
  ['https://x.example/', 'leave sure'],
  ['https://site.example/blog/how-to-delete-an-account', 'free sure'],
  [`https://site.example/?a=${'x'.repeat(20_000)}&delete=1`, 'free none'],
])('opening %s', (address, verdict) => {
  const { kinds, certainty } = consequencesOfOpening(new URL(address), SITE)
  expect(`${kinds.join(' ') || 'free'} ${certainty}`).toBe(verdict)
})

it('each kind of the lists has words in each language', () => {
  const lists = [
    ...Object.values(words.kinds).map(({ final }) => final),
    words.answers,
    words.cancel,
    words.free,
    words.harmless,
  ]
  for (const list of lists) expect(Object.keys(list).toSorted()).toEqual(LANGUAGES.toSorted())
  expect(KINDS).toEqual(expect.arrayContaining(Object.keys(words.kinds)))
})

it('no word is final and free at once', () => {
  const entries = Object.values(words.kinds).flatMap(({ final }) => Object.values(final).join(',').split(','))
  const hidden = entries
    .map((entry) => entry.replaceAll('*', '').trim())
    .filter((entry) => meaningOf(entry).final.length === 0)
  expect(hidden).toEqual([])
})
