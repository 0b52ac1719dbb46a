// What each frame of the server does. A frame type without an entry does not compile.
import { unexpired, withAsk, withoutAsk } from '../state/asks'
import type { ServerFrameOf } from '../server/frames'
import { acknowledged, failed, without } from '../state/outbox'
import type { ServerFrame } from '../protocol.gen'
import { say } from '../say'
import { afterTurnFrame } from '../state/turns'
import type { HistoryShare } from '../history/share'
import type { Connection } from '../server/connection'
import type { PanelEvent } from '../state/panel_state'
import type { ToolCalls } from '../tools/calls'
import type { Answers } from './pending_requests'
import type { Memory } from './state'

/** What frames act on. */
export interface FrameTarget {
  memory: Memory
  answers: Answers
  connection: Pick<Connection, 'send'>
  history: Pick<HistoryShare, 'answered'>
  tools: Pick<ToolCalls, 'call' | 'cancel'>
  tell(event: PanelEvent): void
}

type Table = { [Type in ServerFrame['type']]: (penny: FrameTarget, frame: ServerFrameOf<Type>) => void | Promise<void> }

const NOT_STORED = 'not_stored'
const ignored = () => undefined

const table: Table = {
  'auth.challenge': ignored,
  welcome: ignored,
  pong: ignored,
  ack: acknowledgedBy,
  error: refused,
  'message.new': received,
  'history.page': (penny, { messages, more }) => penny.tell({ type: 'history', messages, more }),
  'history.found': ({ answers }, { ref, messages, more }) => void answers.take(ref, { ok: true, found: messages, more }),
  commands: ({ answers }, { ref, commands }) => void answers.take(ref, { ok: true, commands }),
  picture: ({ answers }, { ref, data }) => void answers.take(ref, { ok: true, image: `data:image/webp;base64,${data}` }),
  'turn.started': turn,
  'turn.delta': turn,
  'turn.status': turn,
  'turn.done': ended,
  'turn.failed': ended,
  'tool.call': (penny, frame) => penny.tools.call(frame),
  'tool.cancel': (penny, { call_id }) => penny.tools.cancel(call_id),
  'grant.ask': asked,
  'approval.ask': asked,
  'grant.dismiss': dismissed,
  'approval.dismiss': dismissed,
  'grants.sync': ({ memory }, { grants }) => memory.setGrants(grants),
  'thoughts.count': ({ memory }, { unread }) => memory.show({ unread }),
}

export async function takeServerFrame(penny: FrameTarget, frame: ServerFrame): Promise<void> {
  if (!Object.hasOwn(table, frame.type)) return console.warn('Penny: unknown frame', frame.type)
  // The table is keyed by the very field that tells the frames apart, which TypeScript cannot follow through an index.
  const handle = table[frame.type] as (penny: FrameTarget, frame: ServerFrame) => void | Promise<void>
  await handle(penny, frame)
}

async function received({ memory, connection }: FrameTarget, { message }: ServerFrameOf<'message.new'>): Promise<void> {
  const stored = memory.receive(message)
  if (message.direction === 'in' && message.turn_id) await memory.setOutbox(without(memory.panel.unsent, message.turn_id))
  await stored
  connection.send({ type: 'message.ack', seq: message.seq })
}

async function acknowledgedBy({ answers, history, memory }: FrameTarget, frame: ServerFrameOf<'ack'>): Promise<void> {
  if (await history.answered(frame)) return
  const { ref } = frame
  if (!answers.take(ref, { ok: true })) await memory.setOutbox(acknowledged(memory.panel.unsent, ref))
}

async function refused({ answers, history, memory }: FrameTarget, frame: ServerFrameOf<'error'>): Promise<void> {
  if (await history.answered(frame)) return
  const { code, message, ref } = frame
  if (answers.take(ref, { ok: false, message })) return
  console.warn('Penny: the server refused', ref, code, message)
  if (code === 'late') return // a tool's answer that came after its turn was stopped: nothing that the owner asked for failed
  const isOwnMessage = memory.panel.unsent.some((entry) => entry.turn_id === ref)
  // The server could not store it now. It stays in line, and goes out again with the next tick.
  if (isOwnMessage && code === NOT_STORED) return memory.show({ notice: say('not_stored') })
  if (ref && isOwnMessage) await memory.setOutbox(failed(memory.panel.unsent, ref, message))
  else memory.show({ notice: message })
}

function turn(penny: FrameTarget, frame: ServerFrameOf<'turn.started' | 'turn.delta' | 'turn.status' | 'turn.done' | 'turn.failed'>): void {
  penny.memory.panel.turns = afterTurnFrame(penny.memory.panel.turns, frame)
  penny.tell({ type: 'turn', frame })
}

async function ended(penny: FrameTarget, frame: ServerFrameOf<'turn.done' | 'turn.failed'>): Promise<void> {
  turn(penny, frame)
  if (frame.message.temporary) await penny.memory.answeredInPassing(frame.turn_id, frame.message)
}

function asked({ memory }: FrameTarget, ask: ServerFrameOf<'grant.ask' | 'approval.ask'>): void {
  memory.show({ asks: withAsk(unexpired(memory.panel.asks, Date.now()), ask) })
}

function dismissed({ memory }: FrameTarget, { request_id }: ServerFrameOf<'grant.dismiss' | 'approval.dismiss'>): void {
  memory.show({ asks: withoutAsk(memory.panel.asks, request_id) })
}
