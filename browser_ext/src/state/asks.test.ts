import { describe, expect, it } from 'vitest'
import { nextExpiryMs, openAsks, withAsk, withoutAsk, type Ask } from './asks'

const NOW = Date.parse('2026-01-01T12:00:00Z')

function ask(request_id: string, seconds: number): Ask {
  const expires_at = new Date(NOW + seconds * 1000).toISOString()
  return { type: 'grant.ask', request_id, host: 'example.com', capability: 'read', reason: '', expires_at }
}

describe('asks', () => {
  it('wait in line, each once', () => {
    const asks = withAsk(withAsk(withAsk([], ask('a', 60)), ask('b', 60)), ask('a', 90))
    expect(asks.map((one) => one.request_id)).toEqual(['a', 'b'])
    expect(asks[0]!.expires_at).toBe(ask('a', 90).expires_at)
    expect(withoutAsk(asks, 'a').map((one) => one.request_id)).toEqual(['b'])
  })

  it('come before those that wait for longer', () => {
    const asks = [ask('day', 86_400), ask('minute', 60), ask('later', 61), ask('week', 604_800)].reduce<Ask[]>(
      withAsk,
      [],
    )
    expect(asks.map((one) => one.request_id)).toEqual(['minute', 'later', 'day', 'week'])
    expect(withAsk(asks, ask('minute', 90_000)).map((one) => one.request_id)).toEqual([
      'minute',
      'later',
      'day',
      'week',
    ])
  })

  it('hide when their time is over', () => {
    const asks = [ask('a', -1), ask('b', 5), ask('c', 60)]
    expect(openAsks(asks, NOW).map((one) => one.request_id)).toEqual(['b', 'c'])
    expect(nextExpiryMs(openAsks(asks, NOW), NOW)).toBe(5000)
    expect(nextExpiryMs([], NOW)).toBeNull()
  })
})
