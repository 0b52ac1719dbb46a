import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeBrowser } from '../tools/fake_browser'
import { OpenFetches } from './open_fetches'

const fetched = (requestId: string) => ({ tabId: 3, requestId, type: 'xmlhttprequest' })

describe('a page', () => {
  let fake: FakeBrowser
  let fetches: OpenFetches

  beforeEach(() => {
    vi.useFakeTimers()
    fake = new FakeBrowser({})
    fetches = new OpenFetches(3)
  })
  afterEach(() => {
    fetches.end()
    vi.useRealTimers()
  })

  it('waits until each of its requests has an answer or failed', () => {
    fake.onBeforeRequest.tell(fetched('1'))
    fake.onBeforeRequest.tell(fetched('2'))
    fake.onCompleted.tell(fetched('1'))
    expect(fetches.any()).toBe(true)
    fake.onErrorOccurred.tell(fetched('2'))
    expect(fetches.any()).toBe(false)
  })

  it('does not wait for what is open for long', () => {
    fake.onBeforeRequest.tell(fetched('1'))
    vi.advanceTimersByTime(2_900)
    expect(fetches.any()).toBe(true)
    vi.advanceTimersByTime(200)
    expect(fetches.any()).toBe(false)
  })

  it('does not wait for its pictures', () => {
    fake.onBeforeRequest.tell({ ...fetched('1'), type: 'image' })
    expect(fetches.any()).toBe(false)
  })

  it('may begin any number of requests', () => {
    for (let id = 0; id < 5_000; id++) fake.onBeforeRequest.tell(fetched(String(id)))
    vi.advanceTimersByTime(3_100)
    expect(fetches.any()).toBe(false)
  })

  it('is no longer followed in the end', () => {
    fetches.end()
    const events = [fake.onBeforeRequest, fake.onCompleted, fake.onErrorOccurred]
    expect(events.map(({ listeners }) => listeners.size)).toEqual([0, 0, 0])
  })
})
