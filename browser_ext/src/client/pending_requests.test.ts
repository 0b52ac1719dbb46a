import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PendingRequests } from './pending_requests'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('gives an answer to the oldest request with its name, and to nobody else', async () => {
  const answers = new PendingRequests()
  const [first, second, other] = [answers.to('a.example'), answers.to('a.example'), answers.to('b.example')]
  expect(answers.take('a.example', { ok: false, message: 'No.' })).toBe(true)
  expect(answers.take('a.example', { ok: true })).toBe(true)
  expect(answers.take('a.example', { ok: true })).toBe(false)
  expect(answers.take(undefined, { ok: true })).toBe(false)
  expect(await Promise.all([first, second])).toEqual([{ ok: false, message: 'No.' }, { ok: true }])
  answers.lose()
  expect(await other).toMatchObject({ ok: false, message: expect.stringContaining('connection was lost') as string })
})

it('does not wait for ever', async () => {
  const answers = new PendingRequests()
  const answer = answers.to('a.example')
  vi.advanceTimersByTime(10_000)
  expect(await answer).toMatchObject({ ok: false, message: expect.stringContaining('did not answer') as string })
  expect(answers.take('a.example', { ok: true })).toBe(false)
})
