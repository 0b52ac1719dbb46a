import { describe, expect, it } from 'vitest'
import type { Ask } from '../state/asks'
import { say } from '../say'
import { browserLabel } from '../panel/this_browser'
import { dayOf, questionOf, sitesOf } from '../conversation/words'
import { statusOf } from './words'

const SERVER = 'http://127.0.0.1:8787'

describe('the status line', () => {
  it.each([
    ['not_paired', 'Not paired'],
    ['starting', 'Penny is starting'],
    ['connecting', 'Connecting'],
    ['connected', 'Connected'],
    ['reconnecting', 'Reconnecting to 127.0.0.1:8787'],
  ] as const)('says of %s: %s', (name, text) => {
    expect(statusOf({ name }, SERVER, true).text).toBe(text)
  })

  it.each(['impostor', 'not_proven', 'revoked', 'replaced', 'version'] as const)(
    'says what to do when refused: %s',
    (reason) => {
      const { text, action } = statusOf({ name: 'refused', reason }, SERVER, true)
      expect(text.length).toBeGreaterThan(20)
      expect(action).toBeDefined()
    },
  )

  it.each([
    ['waits', '/setup/restored/'],
    ['version', '/setup/#browsers'],
  ] as const)('leads to where the owner ends it: %s', (reason, page) => {
    expect(statusOf({ name: 'refused', reason }, SERVER, true).page).toBe(page)
  })

  it('does not hide that reading is off', () => {
    expect(statusOf({ name: 'connected' }, SERVER, false).text).toBe('Connected, reading pages is off')
  })
})

describe('words', () => {
  it('ask for a capability in plain language', () => {
    const ask = (capability: 'read' | 'act') =>
      ({ type: 'grant.ask', host: 'a.example', capability }) as Extract<Ask, { type: 'grant.ask' }>
    expect(say(questionOf(ask('read')), 'a.example')).toBe('May Penny read pages on a.example?')
    expect(say(questionOf(ask('act')), 'a.example')).toBe('May Penny act on a.example?')
  })

  it('name the day', () => {
    const now = new Date(2026, 2, 10, 0, 30)
    expect(dayOf(new Date(2026, 2, 10, 0, 1).toISOString(), now)).toBe('Today')
    expect(dayOf(new Date(2026, 2, 9, 23, 59).toISOString(), now)).toBe('Yesterday')
    expect(dayOf(new Date(2026, 2, 1).toISOString(), now)).not.toContain('2026')
    expect(dayOf(new Date(2025, 2, 1).toISOString(), now)).toContain('2025')
  })

  it('show sites, not other labels', () => {
    expect(sitesOf(['owner', 'penny', 'a.example', 'localhost:8000'])).toEqual(['a.example', 'localhost:8000'])
  })

  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36',
      'Chrome on Mac',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36 Edg/156.0',
      'Edge on Windows',
    ],
    ['something else', 'Browser'],
  ])('call the browser of %s %s', (userAgent, label) => {
    expect(browserLabel(userAgent)).toBe(label)
  })
})
