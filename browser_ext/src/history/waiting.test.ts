import { describe, expect, it } from 'vitest'
import type { Visit } from '../protocol.gen'
import { BATCH, EVERY_MS, MOST, WaitingVisits } from './waiting'

const visit = (title: string): Visit => ({ domain: 'a.example', title, visited_at: '2026-01-02T03:04:05.000Z' })

function withVisits(count: number): WaitingVisits {
  const waiting = new WaitingVisits()
  for (let number = 0; number < count; number++) waiting.add(visit(`Page ${number}`))
  return waiting
}

describe('the visits that wait', () => {
  it('go some at a time, one report after the other, and not too often', () => {
    const waiting = withVisits(BATCH + 2)
    const first = waiting.next(0)
    expect(first?.visits).toHaveLength(BATCH)
    expect(waiting.next(10 * EVERY_MS)).toBeNull()
    expect(waiting.settle(first?.ref)).toBe(true)
    expect(waiting.next(EVERY_MS - 1)).toBeNull()
    expect(waiting.next(EVERY_MS)?.visits.map(({ title }) => title)).toEqual([`Page ${BATCH}`, `Page ${BATCH + 1}`])
  })

  it('go again when nobody knows whether they came, with what was added behind them', () => {
    const waiting = withVisits(1)
    waiting.next(0)
    waiting.add(visit('Later'))
    waiting.lose()
    expect(waiting.next(EVERY_MS)?.visits.map(({ title }) => title)).toEqual(['Page 0', 'Later'])
  })

  it('are not let go of by the answer to something else', () => {
    const waiting = withVisits(1)
    waiting.next(0)
    expect([waiting.settle('other'), waiting.settle(null), waiting.visits.length]).toEqual([false, false, 1])
  })

  it('are few, and the same page again is one of them', () => {
    const waiting = withVisits(MOST + 5)
    expect(waiting.visits).toHaveLength(MOST)
    expect(waiting.visits.at(-1)?.title).toBe(`Page ${MOST + 4}`)
    waiting.add(visit(`Page ${MOST + 4}`))
    expect(waiting.visits).toHaveLength(MOST)
  })
})
