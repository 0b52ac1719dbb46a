// The turns that run now, as the panel shows them. The stored message is the source of truth.
import type { TurnFrame } from '../server/frames'

export interface Turn {
  turn_id: string
  attempt: number
  device_label: string
  text: string
  status: string
  /** The statuses so far, in order. */
  steps: string[]
  /** Index of the next delta. Null after `text` came as a whole: the next delta sets it. */
  next: number | null
}

type Started = Extract<TurnFrame, { type: 'turn.started' }>
type Delta = Extract<TurnFrame, { type: 'turn.delta' }>

export function afterTurnFrame(turns: readonly Turn[], frame: TurnFrame): Turn[] {
  switch (frame.type) {
    case 'turn.started':
      return withTurn(turns, frame)
    case 'turn.delta':
      return withChange(turns, frame.turn_id, (turn) => withDelta(turn, frame))
    case 'turn.status':
      return withChange(turns, frame.turn_id, (turn) => withStatus(turn, frame.text))
    case 'turn.done':
    case 'turn.failed':
      return turns.filter((turn) => turn.turn_id !== frame.turn_id)
  }
}

/** Drop what an earlier attempt showed. A frame of an older attempt is late, and ignored. */
function withTurn(turns: readonly Turn[], frame: Started): Turn[] {
  const current = turns.find((turn) => turn.turn_id === frame.turn_id)
  if (current && current.attempt > frame.attempt) return [...turns]
  const { turn_id, attempt, device_label, text } = frame
  const turn: Turn = {
    turn_id,
    attempt,
    device_label,
    text,
    status: current?.status ?? '',
    steps: current?.steps ?? [],
    next: text ? null : 0,
  }
  return current ? withChange(turns, turn_id, () => turn) : [...turns, turn]
}

function withStatus(turn: Turn, status: string): Turn {
  const isRenewed = turn.steps.slice(-2).some((step) => withoutPause(step) === withoutPause(status))
  return { ...turn, status, steps: isRenewed ? turn.steps : [...turn.steps, status] }
}

/** A wait for a busy model counts down, and comes again with each try: that is one step. */
function withoutPause(status: string): string {
  return status.replace(/\d+ (s|min)$/, '')
}

function withDelta(turn: Turn, delta: Delta): Turn {
  const isRepeated = turn.next !== null && delta.index < turn.next
  if (delta.attempt !== turn.attempt || isRepeated) return turn
  return { ...turn, text: turn.text + delta.text, next: delta.index + 1, status: '' }
}

function withChange(turns: readonly Turn[], turn_id: string, change: (turn: Turn) => Turn): Turn[] {
  return turns.map((turn) => (turn.turn_id === turn_id ? change(turn) : turn))
}
