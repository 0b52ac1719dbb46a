import { afterEach, expect, it, vi } from 'vitest'
import { ABSENT, actingAt, callActing, provideActing, type Acting } from './task'

const acting = (name: string): Acting => ({
  act: async () => expect.fail('no act'),
  look: () => expect.fail('no look'),
  preview: () => expect.fail('no preview'),
  halt: () => undefined,
  awaitOwner: async () => null,
  leaveOwner: () => undefined,
  snapshot: () => ({ title: name }) as ReturnType<Acting['snapshot']>,
})

afterEach(() => vi.unstubAllGlobals())

it('tasks stay in their document, each background with its own', () => {
  for (const name of [actingAt, 'older', 'newer']) vi.stubGlobal(name, undefined)
  expect(callActing('older', null, 'snapshot', {})).toBe(ABSENT)
  provideActing(acting('old'))
  expect(callActing('older', actingAt, 'snapshot', {})).toEqual({ title: 'old' })
  expect(callActing('newer', null, 'snapshot', {})).toBe(ABSENT)
  provideActing(acting('new'))
  expect(callActing('newer', actingAt, 'snapshot', {})).toEqual({ title: 'new' })
  expect(callActing('older', null, 'snapshot', {})).toEqual({ title: 'old' })
})
