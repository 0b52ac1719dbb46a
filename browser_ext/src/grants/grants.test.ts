import { describe, expect, it } from 'vitest'
import { verdict } from './grants'
import type { GrantInfo } from '../protocol.gen'

const NOW = Date.parse('2026-01-01T12:00:00Z')

function grant(host: string, fields: Partial<GrantInfo> = {}): GrantInfo {
  return { host, capability: 'read', state: 'allowed', scope: 'always', session: 'owner', expires_at: null, ...fields }
}

const blockedGrant = (host: string) => grant(host, { state: 'blocked' })
const SERVER = 'http://127.0.0.1:8787'
const read = (url: string, grants: GrantInfo[], server = SERVER) =>
  verdict(new URL(url), { capability: 'read', grants, server, now: NOW })

describe('a grant', () => {
  it('is needed for everything', () => {
    expect(read('https://example.com/', [])).toBe('unknown')
  })

  it.each([
    ['https://example.com/', 'allowed'],
    ['https://www.example.com/', 'allowed'],
    ['https://a.b.example.com:8443/', 'allowed'],
    ['https://example.com./', 'allowed'],
    ['https://notexample.com/', 'unknown'],
    ['https://example.com.evil.example/', 'unknown'],
    ['https://com/', 'unknown'],
  ])('of example.com makes %s %s', (url, expected) => {
    expect(read(url, [grant('example.com')])).toBe(expected)
  })

  it('of an address or localhost holds for that port alone, and for nothing below it', () => {
    const grants = [grant('127.0.0.1:8000'), grant('localhost:8000')]
    expect(read('http://127.0.0.1:8000/', grants)).toBe('allowed')
    expect(read('http://127.0.0.1:8001/', grants)).toBe('unknown')
    expect(read('http://127.0.0.1/', grants)).toBe('unknown')
    expect(read('http://localhost:8000/', grants)).toBe('allowed')
    expect(read('http://a.localhost:8000/', grants)).toBe('unknown')
  })

  it('of a top-level name covers no site below it', () => {
    expect(read('https://example.com/', [grant('com')])).toBe('unknown')
  })

  it('is for one capability', () => {
    expect(read('https://example.com/', [grant('example.com', { capability: 'act' })])).toBe('unknown')
  })

  it('for the more specific host wins, whichever way', () => {
    const grants = [grant('example.com'), blockedGrant('private.example.com')]
    expect(read('https://a.private.example.com/', grants)).toBe('blocked')
    expect(read('https://example.com/', grants)).toBe('allowed')
    const open = [blockedGrant('example.com'), grant('open.example.com')]
    expect(read('https://open.example.com/', open)).toBe('allowed')
  })

  it('that blocks beats one that allows the same host, in either order', () => {
    const both = [grant('example.com'), blockedGrant('example.com')]
    expect(read('https://example.com/', both)).toBe('blocked')
    expect(read('https://example.com/', both.reverse())).toBe('blocked')
  })

  it('that blocks a site blocks acting there, and one that blocks acting leaves reading', () => {
    const mayAct = grant('example.com', { capability: 'act' })
    const act = (...grants: GrantInfo[]) =>
      verdict(new URL('https://example.com/'), { capability: 'act', grants, server: SERVER, now: NOW })
    expect([act(mayAct), act(grant('example.com'))]).toEqual(['allowed', 'unknown'])
    expect(act(mayAct, blockedGrant('example.com'))).toBe('blocked')
    expect(read('https://example.com/', [grant('example.com'), { ...mayAct, state: 'blocked' }])).toBe('allowed')
  })

  it('ends when it expires, with room for a clock that goes wrong', () => {
    const until = (expires_at: string) => [grant('example.com', { scope: 'hour', expires_at })]
    expect(read('https://example.com/', until('2026-01-01T12:30:00Z'))).toBe('allowed')
    expect(read('https://example.com/', until('2026-01-01T11:59:00Z'))).toBe('allowed')
    expect(read('https://example.com/', until('2026-01-01T11:57:00Z'))).toBe('unknown')
  })
})
