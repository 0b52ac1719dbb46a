import { describe, expect, it } from 'vitest'
import { frontTab, siteOf, whyNot, type Tab } from './sharing'

const SERVER = 'http://127.0.0.1:8787'
const tab = (id: number, fields: Partial<Tab> = {}): Tab => ({ id, active: false, incognito: false, ...fields })

describe('the page that can be included', () => {
  it('is that of the tab in front', () => {
    expect(frontTab([tab(1), tab(2, { active: true })], undefined)?.id).toBe(2)
    expect(frontTab([tab(1)], undefined)).toBeNull()
  })

  it('is that of the tab before, where the panel itself is in front', () => {
    const tabs = [
      tab(1, { lastAccessed: 10 }),
      tab(2, { lastAccessed: 30 }),
      tab(3, { lastAccessed: 40, hidden: true }),
      tab(9, { active: true }),
    ]
    expect(frontTab(tabs, 9)?.id).toBe(2)
    expect(frontTab([tab(9, { active: true })], 9)).toBeNull()
  })

  it.each([
    [undefined, 'browser itself'],
    ['', 'browser itself'],
    ['about:config', 'browser itself'],
    ['chrome://settings/', 'browser itself'],
    ['file:///etc/passwd', 'browser itself'],
    ['view-source:https://example.com/', 'browser itself'],
    ['moz-extension://0b2d/page.html', 'browser itself'],
    ['http://127.0.0.1:8787/setup/', 'own pages'],
    ['http://localhost:8787/', 'own pages'],
  ])('%s: %s', (url, why) => {
    expect(whyNot(url, SERVER)).toContain(why)
  })

  it('is any page of the web, shown by its host', () => {
    expect(whyNot('https://example.com/a?b#c', SERVER)).toBeNull()
    expect(siteOf('https://müller.example/a')).toBe('xn--mller-kva.example')
    expect(siteOf('about:blank')).toBe('')
  })
})
