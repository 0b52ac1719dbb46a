import { describe, expect, it } from 'vitest'
import { bareTitle, publicDomain, visitOf } from './visit'

const server = 'https://penny.example'
const at = new Date('2026-01-02T03:04:05Z')
const visitTo = (url: string, title: string, own: string[] = []) => visitOf({ url, title, at }, { server, own })

describe('what is told of a visit', () => {
  it('is its site, its title and when, and nothing more of its address', () => {
    const visit = visitTo('https://www.coffee.example:8443/private/page?q=mine#part', 'Lever espresso')
    expect(visit).toEqual({ domain: 'coffee.example', title: 'Lever espresso', visited_at: '2026-01-02T03:04:05.000Z' })
  })

  it.each([
    'http://localhost:3000/',
    'http://127.0.0.1/',
    'http://10.0.0.7/',
    'http://192.168.1.1/',
    'http://[fe80::1]/',
    'http://0x7f.1/',
    'http://intranet/',
    'http://router.local/',
    'http://nas.lan/',
    'https://wiki.internal/',
    'http://printer.home.arpa/',
    'http://a.localhost/',
    'http://x.onion/',
    'http://me:pass@coffee.example/',
    'about:config',
    'file:///home/me/taxes.txt',
    'moz-extension://0b2d/options.html',
    'ftp://coffee.example/',
    'no address',
  ])('is nothing for %s', (url) => expect(publicDomain(url, server)).toBeNull())

  it('is nothing for Penny’s own pages, wherever she is', () => {
    expect(publicDomain('https://penny.example/chat/', server)).toBeNull()
    expect(publicDomain('http://127.0.0.1:8787/', 'http://127.0.0.1:8787')).toBeNull()
  })

  it('is nothing where the page speaks of what is left out, be it in its address', () => {
    expect(visitTo('https://coffee.example/', 'Loans for you')).toBeNull()
    expect(visitTo('https://forum.example/c/%68iv/12', 'Question 12')).toBeNull()
    expect(visitTo('https://coffee.example/', 'Lever espresso', ['espresso'])).toBeNull()
    expect(visitTo('https://coffee.example/%E0%A4%A', 'Lever espresso')).not.toBeNull()
  })

  it.each([
    ['Inbox (3) - ada@mail.example - Mail', 'Inbox (3) - - Mail'],
    ['coffee.example/private/page?q=mine', ''],
    ['https://coffee.example/private', ''],
    ['www.coffee.example', ''],
    ['Order 302-4417723-99 sent', 'Order sent'],
    ['Invoice 20261122 of @ada', 'Invoice of'],
    ['Lines\nand\ttabs', 'Lines and tabs'],
    ['x'.repeat(300), 'x'.repeat(200)],
    ['Node.js 22 is out', 'Node.js 22 is out'],
  ])('holds of the title %j no more than %j', (title, bare) => expect(bareTitle(title, 'coffee.example')).toBe(bare))

  it('is nothing where nothing of the title may be told', () => {
    expect(visitTo('https://coffee.example/private/page', 'coffee.example/private/page')).toBeNull()
    expect(visitTo('https://coffee.example/', '')).toBeNull()
  })
})
