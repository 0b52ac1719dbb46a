import { describe, expect, it } from 'vitest'
import type { GrantInfo } from '../protocol.gen'
import { GrantPages } from './pages'

const grant = (host: string): GrantInfo => ({
  host,
  capability: 'read',
  state: 'allowed',
  scope: 'always',
  session: 'clean',
  expires_at: null,
})
const page = (set: string, number: number, count: number, ...hosts: string[]) => ({
  type: 'grants.sync' as const,
  grants: hosts.map(grant),
  page: { set, number, count },
})
const hosts = (grants: GrantInfo[] | null) => grants?.map(({ host }) => host) ?? null

describe('GrantPages', () => {
  it('takes one frame at once', () => {
    expect(hosts(new GrantPages().take({ type: 'grants.sync', grants: [grant('a.example')] }))).toEqual(['a.example'])
  })

  it('counts pages once all are there, in their order, however they come', () => {
    const pages = new GrantPages()
    expect(pages.take(page('s', 2, 2, 'b.example'))).toBeNull()
    expect(pages.take(page('s', 2, 2, 'b.example'))).toBeNull()
    expect(hosts(pages.take(page('s', 1, 2, 'a.example')))).toEqual(['a.example', 'b.example'])
  })

  it('does not mix two sets', () => {
    const pages = new GrantPages()
    expect(pages.take(page('old', 1, 2, 'a.example'))).toBeNull()
    expect(pages.take(page('new', 1, 2, 'c.example'))).toBeNull()
    expect(hosts(pages.take(page('old', 2, 2, 'b.example')))).toEqual(['a.example', 'b.example'])
    expect(hosts(pages.take(page('new', 2, 2, 'd.example')))).toEqual(['c.example', 'd.example'])
  })

  it('forgets pages of sets that were never whole', () => {
    const pages = new GrantPages()
    for (const set of ['1', '2', '3', '4', '5']) expect(pages.take(page(set, 1, 2, 'a.example'))).toBeNull()
    expect(pages.take(page('1', 2, 2, 'b.example'))).toBeNull()
    expect(hosts(pages.take(page('5', 2, 2, 'b.example')))).toEqual(['a.example', 'b.example'])
  })

  it.each([
    [0, 2],
    [3, 2],
    [1, 1e9],
  ])('takes no page %d of %d', (number, count) => {
    expect(new GrantPages().take(page('s', number, count, 'a.example'))).toBeNull()
  })
})
