import { describe, expect, it } from 'vitest'
import type { Message, ThreadInfo } from '../../protocol.gen'
import { withNew } from '../../state/outbox'
import { afterEvent, EMPTY_STATE, type PanelState } from '../../state/panel_state'
import { afterLook, inOrderOfUse, inView, viewsWithNews, withoutOldest } from './view'

const message = (seq: number, fields: Partial<Message> = {}) =>
  ({ id: `id-${seq}`, seq, direction: 'out', created_at: `2026-01-0${seq}T00:00:00Z`, ...fields }) as Message
const thread = (id: string, used_at = '2026-01-01T00:00:00Z'): ThreadInfo => ({ id, name: id, used_at })
const turn = (turn_id: string) => ({ turn_id, attempt: 1, device_label: '', text: '', status: '', steps: [], next: 0 })
const stateOf = (fields: Partial<PanelState>): PanelState => ({ ...EMPTY_STATE, threads: [], ...fields })
const seqs = ({ messages }: PanelState) => messages.map(({ seq }) => seq)

it('is held with the newest of each thread alone, where a thread is long', () => {
  const quiet = [message(1, { thread: 'quiet' }), message(2)]
  const many = Array.from({ length: 200 }, (_, place) => message(place + 3))
  expect(withoutOldest([...quiet, ...many])).toEqual([quiet[0], ...many])
})

describe('what is in view', () => {
  const state = stateOf({
    messages: [message(1), message(2, { thread: 'a', turn_id: 't2' }), message(3, { thread: 'b' })],
    unsent: [
      ...withNew([], { turn_id: 'u1', text: 'x' }, new Date()),
      ...withNew([], { turn_id: 'u2', text: 'x', thread: 'a' }, new Date()),
      ...withNew([], { turn_id: 'u3', text: 'x', thread: 'a', parent_id: 'id-3' }, new Date()),
    ],
    turns: [turn('t2'), turn('u2'), turn('unknown')],
  })
  const ids = (view: string) => {
    const { messages, unsent, turns } = inView(state, view)
    return [messages.map(({ seq }) => seq), unsent.map(({ turn_id }) => turn_id), turns.map(({ turn_id }) => turn_id)]
  }

  it('is one thread with what was written in it, or what belongs to none', () => {
    expect(ids('main')).toEqual([[1], ['u1'], ['unknown']])
    expect(ids('a')).toEqual([[2], ['u2'], ['t2', 'u2']])
    expect(ids('b')).toEqual([[3], ['u3'], []])
  })

  it('is the whole conversation of a server that knows no threads', () => {
    expect(seqs(inView({ ...state, threads: null }, 'a'))).toEqual([1, 2, 3])
  })

  it('has no gap: an older message that changed or came back waits until what is between is fetched', () => {
    const brought = (seq: number, fields: Partial<Message>) =>
      seqs(afterEvent(stateOf({ messages: [message(5)] }), { type: 'message', message: message(seq, fields) }))
    expect([brought(3, {}), brought(6, {}), brought(3, { thread: 'a' })]).toEqual([[5], [5, 6], [3, 5]])
  })
})

it('has news where Penny wrote since it was looked at', () => {
  const messages = [message(1), message(2, { thread: 'a' }), message(3, { thread: 'b', direction: 'in' })]
  const readTo = afterLook({}, 'main', 1, [])
  expect([...viewsWithNews(messages, readTo, 'main')]).toEqual(['a'])
  expect([...viewsWithNews(messages, readTo, 'a')]).toEqual([])
  expect([...viewsWithNews(messages, afterLook(readTo, 'a', 3, []), 'main')]).toEqual([])
  expect([...viewsWithNews([...messages, message(9)], readTo, 'a')]).toEqual(['main'])
})

it('forgets what was read of threads that are not listed any more, once there are many', () => {
  let readTo = {}
  for (let number = 0; number < 200; number++) readTo = afterLook(readTo, `t${number}`, number + 1, [thread('t3')])
  expect(Object.keys(readTo).length).toBeLessThanOrEqual(150)
  expect(readTo).toMatchObject({ before: 1, t3: 4, t199: 200 })
})

it('lists first what was used last, also by messages that came since', () => {
  const threads = [thread('a', '2026-01-05T00:00:00Z'), thread('b', '2026-01-02T00:00:00Z')]
  expect(inOrderOfUse(threads, [message(7, { thread: 'b' })]).map(({ id }) => id)).toEqual(['b', 'a'])
})
