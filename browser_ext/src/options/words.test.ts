import { describe, expect, it } from 'vitest'
import type { GrantInfo } from '../protocol.gen'
import { countOf, exportText, factsOf, fileName, grantsMatching, isPunycode, lastsOf, usedOf } from './words'

const now = new Date('2026-03-01T12:00:00Z')
const grant: GrantInfo = {
  host: 'example.com',
  capability: 'read',
  state: 'allowed',
  scope: 'always',
  session: 'owner',
  expires_at: null,
}
const at = (expires_at: string, scope: GrantInfo['scope'] = 'hour'): GrantInfo => ({ ...grant, scope, expires_at })

describe('what is said of a grant', () => {
  it('says how long it holds, and when it is over', () => {
    expect(lastsOf(grant, now)).toBe('always')
    expect(lastsOf(at('2026-03-01T12:30:00Z'), now)).toMatch(/^for an hour, until \D*\d+[:.]30/)
    expect(lastsOf(at('2026-03-01T11:59:00Z', 'once'), now)).toMatch(/^once, over since /)
    expect(lastsOf(at('2026-03-02T12:00:00Z', 'run'), now)).toMatch(/^for one task, until .*March|2/)
  })

  it('names the logins where they cannot be chosen and matter', () => {
    expect(factsOf(grant, now)).toBe('Read pages · always · not used yet')
    expect(factsOf({ ...at('2026-03-01T12:30:00Z', 'once'), session: 'clean' }, now)).toContain('without my logins')
    expect(factsOf({ ...grant, capability: 'act', state: 'blocked' }, now)).toBe('Act on pages · always')
  })

  it('says when it was last used', () => {
    expect(usedOf({ ...grant, used_at: '2026-03-01T11:59:00Z' }, now)).toMatch(/^last used \D*\d+[:.]59/)
    expect(usedOf({ ...grant, used_at: '2026-02-01T11:59:00Z' }, now)).toContain('February')
    expect(factsOf({ ...grant, state: 'blocked' }, now)).not.toContain('used')
  })

  it.each([
    ['xn--coffe-esa.example', true],
    ['www.xn--coffe-esa.example', true],
    ['example.com', false],
    ['not-xn--really.example', false],
  ])('knows a name in other letters: %s', (host, expected) => {
    expect(isPunycode(host)).toBe(expected)
  })

  it('finds a part of a host, whatever its case', () => {
    const all = ['a.example', 'b.example', 'c.test'].map((host) => ({ ...grant, host }))
    expect(grantsMatching(all, ' EXAMPLE ').map(({ host }) => host)).toEqual(['a.example', 'b.example'])
    expect([countOf(2, 3), countOf(1, 1)]).toEqual(['2 of 3 entries', '1 entry'])
  })

  it('exports what the server said, unchanged', () => {
    const text = exportText([grant], 'http://127.0.0.1:8787', now)
    expect(JSON.parse(text)).toEqual({
      exported_at: '2026-03-01T12:00:00.000Z',
      server: 'http://127.0.0.1:8787',
      grants: [grant],
    })
    expect(fileName(now)).toBe('penny-sites-2026-03-01.json')
  })
})
