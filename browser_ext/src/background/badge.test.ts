import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { Ask } from '../state/asks'
import { keepBadge } from './badge'

const NOW = Date.parse('2026-01-01T12:00:00Z')
let texts: string[]
let titles: string[]

function ask(request_id: string, seconds: number): Ask {
  const expires_at = new Date(NOW + seconds * 1000).toISOString()
  return { type: 'grant.ask', request_id, host: 'example.com', capability: 'read', reason: '', expires_at }
}

beforeEach(() => {
  fakeBrowser.reset()
  vi.useFakeTimers({ now: NOW })
  texts = []
  titles = []
  const action = {
    setBadgeBackgroundColor: async () => undefined,
    setBadgeText: async ({ text }: { text: string }) => void texts.push(text),
    setTitle: async ({ title }: { title: string }) => void titles.push(title),
  }
  Object.assign(fakeBrowser, { action, browserAction: action })
})
afterEach(() => vi.useRealTimers())

describe('the badge', () => {
  it('counts the questions that wait, and goes as each of them hides itself', async () => {
    await keepBadge([ask('a', 30), ask('b', 60)])
    await vi.advanceTimersByTimeAsync(31_000)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(texts).toEqual(['2', '1', ''])
    expect(titles).toEqual(['Penny asks you 2 things', 'Penny asks you something', 'Penny'])
  })

  it('forgets the timer of questions that were answered', async () => {
    await keepBadge([ask('a', 30)])
    await keepBadge([])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(texts).toEqual(['1', ''])
  })
})
