import { describe, expect, it } from 'vitest'
import type { TurnFrame } from '../server/frames'
import { afterTurnFrame, type Turn } from './turns'

const startFrame = (attempt: number, text = ''): TurnFrame => ({
  type: 'turn.started',
  turn_id: 't',
  attempt,
  device_label: 'Web',
  text,
})
const delta = (attempt: number, index: number, text: string): TurnFrame => ({
  type: 'turn.delta',
  turn_id: 't',
  attempt,
  index,
  text,
})
const after = (...frames: TurnFrame[]) => frames.reduce<Turn[]>(afterTurnFrame, [])

describe('a turn', () => {
  it('grows with every delta', () => {
    expect(after(startFrame(1), delta(1, 0, 'Yes, '), delta(1, 1, 'with patience'))[0]?.text).toBe('Yes, with patience')
  })

  it('ignores deltas that it has, and deltas of another attempt', () => {
    const frames = [startFrame(2), delta(2, 0, 'a'), delta(2, 0, 'a'), delta(1, 1, 'old'), delta(2, 1, 'b')]
    expect(after(...frames)[0]?.text).toBe('ab')
  })

  it('is withdrawn by the next attempt, not by a late start of an earlier one', () => {
    expect(after(startFrame(1), delta(1, 0, 'wrong'), startFrame(2))[0]?.text).toBe('')
    expect(after(startFrame(2), delta(2, 0, 'right'), startFrame(1))[0]?.text).toBe('right')
  })

  it('goes on from the text that a later device was given', () => {
    expect(after(startFrame(1, 'so far'), delta(1, 7, ' and on'), delta(1, 7, ' and on'))[0]?.text).toBe(
      'so far and on',
    )
  })

  it('shows its status until words come', () => {
    const reading: TurnFrame = { type: 'turn.status', turn_id: 't', text: 'Reading example.com' }
    expect(after(startFrame(1), reading)[0]?.status).toBe('Reading example.com')
    expect(after(startFrame(1), reading, delta(1, 0, 'x'))[0]?.status).toBe('')
    expect(after(startFrame(1), reading, reading, { ...reading, text: 'Writing' }, startFrame(2))[0]?.steps).toEqual([
      'Reading example.com',
      'Writing',
    ])
  })

  it('shows the pauses for a busy model as one step, counted down', () => {
    const say = (text: string): TurnFrame => ({ type: 'turn.status', turn_id: 't', text })
    const pause = [say('The model is busy, again in 2 s'), say('The model is busy, again in 1 s'), say('Asking again')]
    const [turn] = after(
      startFrame(1),
      say('Reading 10.0.0.1'),
      say('Reading 10.0.0.2'),
      ...pause,
      ...pause.slice(0, 2),
    )
    expect(turn?.status).toBe('The model is busy, again in 1 s')
    expect(turn?.steps).toEqual([
      'Reading 10.0.0.1',
      'Reading 10.0.0.2',
      'The model is busy, again in 2 s',
      'Asking again',
    ])
  })

  it('is no longer shown when it is done, nor begun by a stray delta', () => {
    const done = { type: 'turn.done', turn_id: 't' } as TurnFrame
    expect(after(startFrame(1), done, delta(1, 3, 'late'))).toEqual([])
  })
})
