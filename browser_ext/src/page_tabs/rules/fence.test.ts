import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { fenceIn, fenceRules, openFence, stopOf, type Phase } from './fence'

const TAB = { id: 7, site: 'shop.example' }
const PAGE = 'https://shop.example'
const BASKET = 'https://www.shop.example/basket'
const SINK = 'https://sink.example/?d=secret'

beforeEach(() => {
  const declarativeNetRequest = { getSessionRules: async () => [], updateSessionRules: vi.fn() }
  Object.assign(fakeBrowser, { declarativeNetRequest })
})

function stop(url: string, method: string, initiator?: string) {
  return stopOf({ tabId: TAB.id, url, method, ...(initiator && { initiator }) })
}

describe('in the tab of an errand', () => {
  it.each<[Phase, string, string, string | undefined, unknown]>([
    ['act', SINK, 'GET', undefined, { leavesTo: 'sink.example' }],
    ['act', SINK, 'POST', PAGE, { leavesTo: 'sink.example' }],
    ['act', BASKET, 'POST', PAGE, { leavesTo: null }],
    ['act', BASKET, 'GET', PAGE, null],
    ['approved act', SINK, 'GET', PAGE, { leavesTo: 'sink.example' }],
    ['approved act', BASKET, 'POST', PAGE, null],
    ['between', SINK, 'GET', PAGE, { leavesTo: 'sink.example' }],
    ['between', BASKET, 'POST', PAGE, { leavesTo: null }],
    ['between', SINK, 'GET', undefined, null], // the owner typed it
  ])('%s: %s by %s from %s', async (phase, url, method, initiator, expected) => {
    await fenceIn(TAB, phase)
    expect(stop(url, method, initiator)).toEqual(expected)
  })

  it('nothing is held once the owner has it, and never in another', async () => {
    await fenceIn(TAB, 'act')
    expect(stopOf({ tabId: 8, url: SINK, method: 'POST' })).toBeNull()
    await openFence(TAB.id)
    expect(stop(SINK, 'POST', PAGE)).toBeNull()
  })
})

describe('the rules for Chrome', () => {
  it('let the site through, and forms only with a yes', () => {
    const kinds = (phase: Phase) =>
      fenceRules(7, 'shop.example', phase).map(({ priority, action }) => [priority, action.type])
    expect(kinds('act')).toEqual([
      [1, 'block'],
      [2, 'allow'],
      [3, 'block'],
    ])
    expect(kinds('approved act')).toEqual([
      [1, 'block'],
      [2, 'allow'],
    ])
  })

  it('hold between acts what the page begins', () => {
    const conditions = fenceRules(7, 'localhost:8000', 'between').map(({ condition }) => condition)
    expect(conditions.map(({ initiatorDomains }) => initiatorDomains)).toEqual(Array(3).fill(['localhost']))
    expect(conditions[1]?.regexFilter).toBe('^https?://localhost(:8000)[/?#]')
  })
})
