import { describe, expect, it } from 'vitest'
import type { GrantInfo } from '../../protocol.gen'
import { BEFORE, whyNotRead, type KeepRules, type SeenPage } from './before'

const RESPONSE = { status: 200, method: 'GET', type: 'text/html; charset=utf-8', isNoStore: false, ip: '203.0.113.7' }
const PAGE: SeenPage = {
  url: 'https://coffee.example/levers?page=2#top',
  title: 'Levers',
  isPrivate: false,
  cookieStoreId: undefined,
  isOpenedByUs: false,
  response: RESPONSE,
}

function keeps(host: string, state: GrantInfo['state'], capability: GrantInfo['capability'] = 'keep'): GrantInfo {
  return { host, capability, state, scope: 'always', session: 'owner', expires_at: null }
}

const RULES: KeepRules = { mode: 'all', server: 'https://penny.example', grants: [], now: 0 }
const CHOSEN = { grants: [keeps('coffee.example', 'allowed')] }
const at = (url: string) => ({ url })
const answered = (response: Partial<typeof RESPONSE>) => ({ response: { ...RESPONSE, ...response } })

const NEVER: [rule: string, page: Partial<SeenPage>, rules?: Partial<KeepRules>][] = [
  ['off', {}, { mode: 'off' }],
  ['off', {}, { mode: 'off', ...CHOSEN }],
  ['private_window', { isPrivate: true }],
  ['container', { cookieStoreId: 'firefox-container-2' }],
  ['opened_by_us', { isOpenedByUs: true }],
  ['own_page', at('https://penny.example/chat/')],
  ...[
    'http://192.168.0.1/',
    'http://[fe80::1]/',
    'http://router.lan/',
    'http://intranet/',
    'http://localhost:8000/',
  ].map((url): [string, Partial<SeenPage>] => ['own_network', at(url)]),
  ...['10.1.2.3', '192.168.1.2', '172.20.0.1', 'fd00::1', 'fe80::1'].map((ip): [string, Partial<SeenPage>] => [
    'own_network_machine',
    answered({ ip }),
  ]),
  ['no_answer', { response: null }],
  ['status', answered({ status: 404 })],
  ['method', answered({ method: 'POST' })],
  ['no_words', answered({ type: 'application/pdf' })],
  ['left_out', {}, { grants: [keeps('coffee.example', 'blocked')] }],
  ['left_out', {}, { grants: [keeps('coffee.example', 'blocked', 'read')] }],
  ['not_chosen', {}, { mode: 'sites' }],
  ['not_chosen', {}, { mode: 'sites', grants: [keeps('tea.example', 'allowed')] }],
  ['correspondence', at('https://outlook.live.com/0/')],
  ['correspondence', at('https://web.telegram.org/k/')],
  ['private_name', at('https://banking.coffee.example/start'), CHOSEN],
  ['private_name', at('https://webmail.coffee.example/start')],
  ['topic', { title: 'Living with diabetes' }],
  ['topic', at('https://coffee.example/mortgage-rates')],
  ['no_store', answered({ isNoStore: true })],
  ['secret_address', at('https://coffee.example/levers?access_token=abcdef')],
]

const whyNot = (page: Partial<SeenPage>, rules: Partial<KeepRules> = {}, table = BEFORE) =>
  whyNotRead({ ...PAGE, ...page }, { ...RULES, ...rules }, table)

describe('a page that is never read', () => {
  it.each(NEVER)('is kept out by one rule alone: %s', (rule, page, rules) => {
    expect(whyNot(page, rules)).toBe(rule)
    const { [rule]: _, ...others } = BEFORE
    expect(whyNot(page, rules, others)).toBeNull()
  })

  it('has a test for each rule', () =>
    expect(new Set(NEVER.map(([rule]) => rule))).toEqual(new Set(Object.keys(BEFORE))))

  it('is one of the browser', () => expect(whyNot(at('about:config'))).toBe('no_page'))
})

describe('a page that is read', () => {
  it('is any other, where all sites are kept', () => expect(whyNot({})).toBeNull())

  it.each([
    { title: 'Living with diabetes' },
    answered({ isNoStore: true }),
    answered({ ip: '10.1.2.3' }),
    at('https://www.coffee.example/levers?access_token=abcdef'),
  ])('on a chosen site may be about anything: %j', (page) => {
    expect(whyNot(page, CHOSEN)).toBeNull()
    expect(whyNot(page, { ...CHOSEN, mode: 'sites' })).toBeNull()
  })

  it('is one of the own machine where a proxy answers', () => expect(whyNot(answered({ ip: '127.0.0.1' }))).toBeNull())

  it.each(['firefox-default', '0'])('is one outside of containers: %s', (cookieStoreId) =>
    expect(whyNot({ cookieStoreId })).toBeNull(),
  )
})
