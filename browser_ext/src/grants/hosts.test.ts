import { describe, expect, it } from 'vitest'
import { hostOf, isServer, webUrl } from './hosts'

const host = (text: string) => {
  const url = webUrl(text)
  return url && hostOf(url)
}

describe('a web address', () => {
  it.each([
    ['https://example.com/a?b#c', 'example.com'],
    ['https://EXAMPLE.com./', 'example.com'],
    ['https://example.com:8443/', 'example.com'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['https://exa%6Dple.com/', 'example.com'],
    ['http:\\\\example.com\\path', 'example.com'],
    ['http://127.0.0.1/', '127.0.0.1:80'],
    ['https://127.0.0.1/', '127.0.0.1:443'],
    ['http://0x7f.1:8000/', '127.0.0.1:8000'],
    ['http://2130706433:8000/', '127.0.0.1:8000'],
    ['http://[::1]:9/', '[::1]:9'],
    ['http://localhost:8787/', 'localhost:8787'],
    ['http://localhost./', 'localhost:80'],
    ['http://shop.localhost:8080/', 'shop.localhost:8080'],
  ])('%s counts for %s', (text, expected) => {
    expect(host(text)).toBe(expected)
  })

  it.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://example.com/1',
    'view-source:https://example.com/',
    'https://example.com@evil.example/',
    'https://user:secret@example.com/',
    'https://',
    '/relative',
    '',
  ])('%s is none', (text) => {
    expect(webUrl(text)).toBeNull()
  })
})

describe("Penny's own server", () => {
  it.each([
    ['http://127.0.0.1:8787/admin/', true],
    ['http://localhost:8787/', true],
    ['http://[::1]:8787/', true],
    ['http://127.0.0.1:9999/', false],
    ['http://example.com:8787/', false],
  ])('is %s: %s', (text, expected) => {
    expect(isServer(new URL(text), 'http://127.0.0.1:8787')).toBe(expected)
  })
})
