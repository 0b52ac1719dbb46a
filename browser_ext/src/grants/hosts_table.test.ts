// The table that holds the server to the same rules: tests/devices/web/test_hosts.py.
import { describe, expect, it } from 'vitest'
import table from '../../../tests/devices/web/hosts_table.json'
import { verdict } from './grants'
import { hostOf, isServer, refusalOf, urlToStore, webUrl } from './hosts'
import type { GrantInfo } from '../protocol.gen'

/** The extension has no list of public suffixes; the server alone decides what a grant may name. */
const isForTheServer = (reason: string | undefined) => reason === 'public_suffix'

function outcome(url: string): { host: string } | { refused: string } {
  const reason = refusalOf(url)
  return reason ? { refused: reason } : { host: hostOf(new URL(url)) }
}

function grantOf([host = '', capability, state]: string[]): GrantInfo {
  return { host, capability, state, scope: 'always', session: 'owner', expires_at: null } as GrantInfo
}

describe('the table that the server shares', () => {
  it.each(table.hosts)('names or refuses the host of $url', ({ url, ...expected }) => {
    expect(outcome(url)).toEqual(expected)
    expect(webUrl(url) !== null).toBe('host' in expected)
  })

  it.each(table.typed.filter(({ refused }) => !isForTheServer(refused)))(
    'normalises or refuses $typed',
    ({ typed, ...expected }) => {
      const text = typed.trim()
      const url = text.includes('://') ? text : `http://${text}`
      const isOwn = webUrl(url) !== null && isServer(new URL(url), table.server)
      expect(isOwn ? { refused: 'own' } : outcome(url)).toEqual(expected)
    },
  )

  it.each(table.own)('knows whether $url is $server', ({ url, server, own }) => {
    expect(isServer(new URL(url), server)).toBe(own)
  })

  it.each(table.decisions)('decides on $url', ({ url, grants, server = table.server, decision }) => {
    const parsedUrl = webUrl(url)
    const question = { capability: 'read', grants: grants.map(grantOf), server, now: Date.now() } as const
    expect(parsedUrl ? verdict(parsedUrl, question) : refusalOf(url)).toBe(decision)
  })

  it.each(table.stored)('stores $url without secrets', ({ url, stored }) => {
    expect(urlToStore(new URL(url))).toBe(stored)
  })
})
