// What each frame of the conversation does.
import type { ServerFrame } from '../protocol.gen'
import { say } from '../say'
import type { ServerFrameOf } from '../server/frames'
import { afterErrand } from '../state/errands'
import { openAsks, withAsk, withoutAsk } from '../state/asks'
import { withAck, withFailure, without } from '../state/outbox'
import { afterTurnFrame } from '../state/turns'
import type { ConversationTarget } from './target'

type Handler<Target, Type extends ServerFrame['type']> = (
  target: Target,
  frame: ServerFrameOf<Type>,
) => void | Promise<void>
/** A handler for each of some types of frames. */
export type FrameTable<Target, Types extends ServerFrame['type']> = { [Type in Types]: Handler<Target, Type> }

const NOT_STORED = 'not_stored'

export const CONVERSATION_FRAMES = {
  ack: takeAck,
  error: takeError,
  'message.new': receiveMessage,
  'history.page': (target, { messages, more, thread }) =>
    target.tell({ type: 'history', messages, more, ...(thread && { thread }) }),
  'history.found': ({ answers }, { ref, messages, more }) =>
    void answers.take(ref, { ok: true, matches: messages, more }),
  commands: ({ answers }, { ref, commands }) => void answers.take(ref, { ok: true, commands }),
  'turn.started': showTurnFrame,
  'turn.delta': showTurnFrame,
  'turn.status': showTurnFrame,
  'turn.done': endTurn,
  'turn.failed': endTurn,
  'grant.ask': addAsk,
  'approval.ask': addAsk,
  'grant.dismiss': removeAsk,
  'approval.dismiss': removeAsk,
  'messages.gone': ({ memory }, { ranges }) => memory.remove(ranges),
  'threads.sync': ({ memory }, { threads, more }) => memory.setThreads(threads, more),
  'threads.found': ({ answers }, { ref, threads, more }) => void answers.take(ref, { ok: true, threads, more }),
  'file.state': ({ answers }, { type: _, ...file }) => void answers.take(file.ref, { ok: true, file }),
  'looking.changed': ({ memory }, { look }) => memory.show({ look }),
  'errand.changed': ({ memory }, { errand }) => memory.show({ errands: afterErrand(memory.panel.errands, errand) }),
  'acting.changed': ({ memory }, { obstacle }) => memory.show({ obstacle }),
  'stop.changed': ({ memory }, { is_stopped }) => memory.show({ isStopped: is_stopped }),
  'thoughts.count': ({ memory }, { unread }) => memory.show({ unread }),
} satisfies Partial<FrameTable<ConversationTarget, ServerFrame['type']>>

/** Run the handler of a frame; return undefined if the table has none. */
export function handleFrame<Target>(
  table: Partial<FrameTable<Target, ServerFrame['type']>>,
  target: Target,
  frame: ServerFrame,
): void | Promise<void> {
  if (!Object.hasOwn(table, frame.type)) return console.warn('Penny: unknown frame', frame.type)
  // `frame.type` is the key of the table and tells the frames apart, but TypeScript cannot follow that through an
  // index.
  const handle = table[frame.type] as (target: Target, frame: ServerFrame) => void | Promise<void>
  return handle(target, frame)
}

async function receiveMessage(
  { memory, connection }: ConversationTarget,
  { message }: ServerFrameOf<'message.new'>,
): Promise<void> {
  const storing = memory.receive(message)
  if (message.direction === 'in' && message.turn_id)
    await memory.setOutbox(without(memory.panel.unsent, message.turn_id))
  await storing
  connection.send({ type: 'message.ack', seq: message.seq })
}

async function takeAck({ answers, memory }: ConversationTarget, { ref }: ServerFrameOf<'ack'>): Promise<void> {
  if (!answers.take(ref, { ok: true })) await memory.setOutbox(withAck(memory.panel.unsent, ref))
}

async function takeError({ answers, memory }: ConversationTarget, frame: ServerFrameOf<'error'>): Promise<void> {
  const { code, message, ref } = frame
  if (answers.take(ref, { ok: false, message })) return
  console.warn('Penny: the server refused', ref, code, message)
  if (code === 'late') return // the result of a tool came after its turn was stopped
  const isOwnMessage = memory.panel.unsent.some((entry) => entry.turn_id === ref)
  // The server could not store the message now. It stays queued, and the next tick sends it again.
  if (isOwnMessage && code === NOT_STORED) memory.show({ notice: say('not_stored') })
  else if (ref && isOwnMessage) await memory.setOutbox(withFailure(memory.panel.unsent, ref, message))
  else memory.show({ notice: message })
}

function showTurnFrame(
  target: ConversationTarget,
  frame: ServerFrameOf<'turn.started' | 'turn.delta' | 'turn.status' | 'turn.done' | 'turn.failed'>,
): void {
  target.memory.panel.turns = afterTurnFrame(target.memory.panel.turns, frame)
  target.tell({ type: 'turn', frame })
}

async function endTurn(target: ConversationTarget, frame: ServerFrameOf<'turn.done' | 'turn.failed'>): Promise<void> {
  showTurnFrame(target, frame)
  if (frame.message.temporary) await target.memory.answeredInPassing(frame.turn_id, frame.message)
}

function addAsk({ memory }: ConversationTarget, ask: ServerFrameOf<'grant.ask' | 'approval.ask'>): void {
  memory.show({ asks: withAsk(openAsks(memory.panel.asks, Date.now()), ask) })
}

function removeAsk(
  { memory }: ConversationTarget,
  { request_id }: ServerFrameOf<'grant.dismiss' | 'approval.dismiss'>,
): void {
  memory.show({ asks: withoutAsk(memory.panel.asks, request_id) })
}
