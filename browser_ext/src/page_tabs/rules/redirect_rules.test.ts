import { describe, expect, it } from 'vitest'
import type { GrantInfo } from '../../protocol.gen'
import { serverBlocked } from '../../grants/grants'
import { rulesFor } from './redirect_rules'

function grant(
  host: string,
  state: GrantInfo['state'] = 'allowed',
  capability: GrantInfo['capability'] = 'read',
): GrantInfo {
  return { host, capability, state, scope: 'always', session: 'owner', expires_at: null }
}

const inTab = { tabIds: [7], resourceTypes: ['main_frame'] }

describe("Chrome's fence around a tab", () => {
  it('blocks every page but those of granted hosts, in that tab alone', () => {
    expect(rulesFor(7, [grant('example.com')])).toEqual([
      { priority: 1, action: { type: 'block' }, condition: inTab },
      { priority: 23, action: { type: 'allow' }, condition: { ...inTab, requestDomains: ['example.com'] } },
    ])
  })

  it('lets the longer host win, and blocking over allowing of the same', () => {
    const rules = rulesFor(7, [grant('example.com'), grant('a.example.com', 'blocked'), grant('a.example.com')])
    const [, parent, blocked, allowed] = rules.map((rule) => rule.priority ?? 0)
    expect([blocked! > allowed!, allowed! > parent!]).toEqual([true, true])
  })

  it("lets nothing reach Penny's own server, though it lives below a granted site", () => {
    const rules = rulesFor(7, [grant('example.org'), serverBlocked('https://penny.example.org:8443')])
    expect(rules.at(-1)).toMatchObject({
      action: { type: 'block' },
      condition: { requestDomains: ['penny.example.org'] },
    })
    expect(rules[2]!.priority!).toBeGreaterThan(rules[1]!.priority!)
  })

  it('with logins, blocks a host that may be read without them only', () => {
    const clean = { ...grant('example.com'), session: 'clean' as const }
    const [, withLogins] = rulesFor(7, [clean], 'owner')
    const [, without] = rulesFor(7, [clean], 'clean')
    expect([withLogins?.action.type, without?.action.type]).toEqual(['block', 'allow'])
  })

  it('leaves out grants to act', () => {
    expect(rulesFor(7, [grant('example.com', 'allowed', 'act')])).toHaveLength(1)
  })

  it.each([
    ['127.0.0.1:8000', 'http://127.0.0.1:8000/a', true],
    ['127.0.0.1:8000', 'http://127.0.0.1:80001/', false],
    ['127.0.0.1:80', 'http://127.0.0.1/', true],
    ['localhost:8000', 'http://localhost/', false],
    ['[::1]:8000', 'http://[::1]:8000/', true],
    ['127.0.0.1:8000', 'http://127.0.0.1.evil.example:8000/', false],
  ])('of the address %s takes in %s: %s', (host, url, expected) => {
    const pattern = rulesFor(7, [grant(host)])[1]?.condition.regexFilter ?? ''
    expect(new RegExp(pattern).test(url)).toBe(expected)
  })
})
