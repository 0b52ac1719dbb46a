import { describe, expect, it } from 'vitest'
import {
  withAck,
  chatSend,
  withFailure,
  queuedEntries,
  withRetryOf,
  withStrikes,
  withNew,
  without,
  withRetry,
} from './outbox'
import type { Message } from '../protocol.gen'
import { say } from '../say'

const NOW = new Date('2026-01-01T12:00:00Z')
const two = withNew(withNew([], { turn_id: '1', text: 'one' }, NOW), { turn_id: '2', text: 'two' }, NOW)
const states = (outbox: typeof two) => outbox.map((entry) => entry.state)

describe('the outbox', () => {
  it('keeps messages in the order in which they were written', () => {
    expect(queuedEntries(two).map((entry) => entry.text)).toEqual(['one', 'two'])
  })

  it('does not send again what was acknowledged, yet shows it until it comes back', () => {
    const after = withAck(two, '1')
    expect(queuedEntries(after).map((entry) => entry.turn_id)).toEqual(['2'])
    expect(after).toHaveLength(2)
    expect(without(after, '1')).toHaveLength(1)
  })

  it('keeps the text of a refused message, for another try', () => {
    const withError = withFailure(two, '2', 'too long')
    expect(withError[1]).toMatchObject({ text: 'two', state: 'failed', error: 'too long' })
    expect(withRetryOf(withError, '2')[1]).toEqual(two[1])
  })

  it('sets aside a message that ends the connection again and again', () => {
    const twice = withStrikes(withStrikes(two))
    expect(states(twice)).toEqual(['queued', 'queued'])
    expect(withStrikes(twice)[0]).toMatchObject({ state: 'failed', text: 'one', error: say('gave_up') })
  })

  it('asks a question that failed once more as the turn that is named for the failure, however often it is asked for', () => {
    const question = { id: 'q', text: 'why', turn_id: 't', direction: 'in' } as Message
    const failure = { id: 'f', text: 'no', turn_id: 't', direction: 'out', kind: 'failure' } as Message
    const once = withRetry(two, question.text, failure, NOW)
    expect(withRetry(once, question.text, failure, NOW)).toBe(once)
    expect(once.slice(2).map((entry) => chatSend(entry))).toEqual([
      { type: 'chat.send', turn_id: 'f', text: 'why', parent_id: 'f' },
    ])
  })

  it('strikes only what was waiting', () => {
    expect(states(withStrikes(withAck(two, '1')))).toEqual(['sent', 'queued'])
  })
})
