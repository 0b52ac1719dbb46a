import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { stored } from '../state/stored'
import { contextFor, FakeBrowser } from './fake_browser'
import { getHistory } from './get_history'

const NOW = Date.parse('2026-01-10T12:00:00Z')
const at = (hours: number) => NOW - hours * 3_600_000
const items = [
  { url: 'https://coffee.example/private/page?q=1', title: 'Lever espresso', lastVisitTime: at(3) },
  { url: 'https://coffee.example/again', title: 'Lever espresso', lastVisitTime: at(1) },
  { url: 'https://coffee.example/ill', title: 'Living with diabetes', lastVisitTime: at(2) },
  { url: 'https://wool.example/a', title: 'Knitting patterns', lastVisitTime: at(2) },
  { url: 'http://router.lan/', title: 'The router', lastVisitTime: at(2) },
  { url: 'http://127.0.0.1:8787/', title: 'Penny', lastVisitTime: at(2) },
  { url: 'https://museum.example/gaggia', title: 'The first lever machine', lastVisitTime: at(5) },
]
let queries: unknown[]

async function shareHistory({ on = true, isPermitted = true } = {}): Promise<void> {
  const fake = new FakeBrowser({})
  if (isPermitted) fake.permitted.add('history')
  const search = async (query: unknown) => queries.push(query) && items
  Object.assign(fakeBrowser, { history: { search } })
  await stored.history.setValue({ on, unsent: false, own: ['knitting'] })
  await stored.pairing.setValue({
    server: 'http://127.0.0.1:8787',
    device_id: 'a',
    server_public_key: 'b',
    label: 'Desk',
  })
}

const look = (input: unknown = { words: 'espresso', days: 7 }) => getHistory(input, contextFor().context)

beforeEach(() => {
  fakeBrowser.reset()
  queries = []
  vi.useFakeTimers({ now: NOW })
  return () => vi.useRealTimers()
})

describe('get_history', () => {
  it('tells sites and titles, the newest first and each once, and nothing that sharing leaves out', async () => {
    await shareHistory()
    expect(await look()).toEqual({
      visits: [
        { domain: 'coffee.example', title: 'Lever espresso', visited_at: new Date(at(1)).toISOString() },
        { domain: 'museum.example', title: 'The first lever machine', visited_at: new Date(at(5)).toISOString() },
      ],
    })
    expect(queries).toEqual([{ text: 'espresso', startTime: NOW - 7 * 86_400_000, maxResults: 1000 }])
  })

  it.each([{ on: false }, { isPermitted: false }])('looks at nothing while it is not shared: %o', async (how) => {
    await shareHistory(how)
    await expect(look()).rejects.toMatchObject({ code: 'not_granted' })
    expect(queries).toEqual([])
  })

  it('takes words and days', async () => {
    await shareHistory()
    await expect(look({ words: 'a', days: 0 })).rejects.toMatchObject({ code: 'internal' })
    await expect(look({ days: 3 })).rejects.toMatchObject({ code: 'internal' })
  })
})
