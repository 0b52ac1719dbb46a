import { describe, expect, it } from 'vitest'
import { backoffMs } from './backoff'

describe('the wait between attempts', () => {
  it('doubles up to 20 seconds', () => {
    expect([0, 1, 2, 3, 5, 6, 99].map((attempt) => backoffMs(attempt, 0.999999))).toEqual([
      500, 1000, 2000, 4000, 16000, 20000, 20000,
    ])
  })

  it('is spread over the upper half of each step', () => {
    expect([0, 0.5, 0.999999].map((random) => backoffMs(2, random))).toEqual([1000, 1500, 2000])
  })
})
