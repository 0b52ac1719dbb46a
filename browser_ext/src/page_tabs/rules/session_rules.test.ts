import { describe, expect, it } from 'vitest'
import type { GrantInfo } from '../../protocol.gen'
import { rulesFor } from './redirect_rules'
import { bareRule, isTabless, sandboxOf, sessionRules, tablessRule } from './session_rules'

const SITE = new URL('https://www.example.com/a')
const rules = (session: GrantInfo['session'], url = SITE) => sessionRules(7, url, session, 'own')
const changed = (session: GrantInfo['session']) => JSON.stringify(rules(session).map(({ action }) => action))

describe("Chrome's rules for a session", () => {
  it('take the logins off every request of a clean tab, over all that allows', () => {
    const bare = rules('clean').find(({ action }) => action.requestHeaders?.some(({ header }) => header === 'cookie'))
    expect(bare?.action.responseHeaders).toEqual([{ header: 'set-cookie', operation: 'remove' }])
    expect(bare?.condition).toMatchObject({
      tabIds: [7],
      resourceTypes: expect.arrayContaining(['main_frame', 'image', 'xmlhttprequest', 'ping']) as string[],
    })
    const longest: GrantInfo = {
      host: 'a'.repeat(253),
      capability: 'read',
      state: 'blocked',
      scope: 'always',
      session: 'owner',
      expires_at: null,
    }
    expect(bare?.priority).toBeGreaterThan(rulesFor(7, [longest])[1]?.priority ?? Infinity)
    expect(changed('owner')).not.toContain('cookie')
  })

  it('keep every page from saving, opening and asking, and a clean one from what its origin stores', () => {
    for (const session of ['owner', 'clean'] as const) {
      expect(changed(session)).toContain(sandboxOf(session))
      expect(sandboxOf(session)).not.toMatch(/allow-(downloads|popups|modals)/)
    }
    expect(sandboxOf('clean')).not.toContain('same-origin')
    expect(sandboxOf('owner')).toContain('same-origin')
  })

  it('follow what a site and its pages ask outside of any tab', () => {
    const where = rules('clean').map(({ condition }) => condition)
    expect(where).toContainEqual(expect.objectContaining({ tabIds: [7, -1], initiatorDomains: ['example.com'] }))
    expect(tablessRule(['mail.example']).condition).toMatchObject({
      tabIds: [-1],
      domainType: 'thirdParty',
      excludedInitiatorDomains: ['mail.example'],
    })
  })

  it('tell what is left behind from what belongs to a tab', () => {
    expect(isTabless({ id: 1, ...tablessRule([]) })).toBe(true)
    expect(isTabless({ id: 1, ...bareRule({ tabIds: [7] }) })).toBe(false)
  })

  it('let a page without an origin read the answers of its own site alone', () => {
    const readable = (url: string) =>
      rules('clean', new URL(url)).find(({ action }) => JSON.stringify(action).includes('access-control'))?.condition
    expect(readable('https://www.example.com/a')).toMatchObject({ requestDomains: ['example.com'] })
    expect(readable('http://127.0.0.1:8000/a')).toMatchObject({ urlFilter: '|http://127.0.0.1:8000/' })
  })
})
