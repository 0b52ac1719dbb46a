import { describe, expect, it } from 'vitest'
import { afterEvent, EMPTY_STATE, type PanelState } from './panel_state'
import type { Message } from '../protocol.gen'

const message = (seq: number) => ({ id: `id-${seq}`, seq }) as Message
const stateOf = (server: string, seqs: number[]): PanelState => ({
  ...EMPTY_STATE,
  pairing: { server, label: 'Firefox', device_id: 'd' },
  messages: seqs.map(message),
})
const seqs = (state: PanelState) => state.messages.map(({ seq }) => seq)

describe('what the panel shows', () => {
  it('keeps older messages that it fetched when the background starts anew', () => {
    const state = afterEvent(stateOf('http://a', [7, 8]), {
      type: 'history',
      messages: [message(5), message(6)],
      more: true,
    })
    expect(seqs(afterEvent(state, { type: 'state', state: stateOf('http://a', [7, 8, 9]) }))).toEqual([5, 6, 7, 8, 9])
  })

  it('forgets the messages of another server', () => {
    const state = afterEvent(stateOf('http://a', [1, 2]), { type: 'state', state: stateOf('http://b', [1]) })
    expect(seqs(state)).toEqual([1])
  })

  it('takes over changes, messages and turns', () => {
    let state = afterEvent(EMPTY_STATE, { type: 'change', change: { unread: 3 } })
    state = afterEvent(state, { type: 'message', message: message(1) })
    state = afterEvent(state, {
      type: 'turn',
      frame: { type: 'turn.started', turn_id: 't', attempt: 1, device_label: '', text: '' },
    })
    expect([state.unread, state.messages.length, state.turns.length]).toEqual([3, 1, 1])
  })
})
