// What each frame of the server does. A frame type without an entry does not compile.
import { openAsks, withAsk, withoutAsk } from '../state/asks'
import type { ServerFrameOf } from '../server/frames'
import { withAck, withFailure, without } from '../state/outbox'
import type { ServerFrame } from '../protocol.gen'
import { say } from '../say'
import { afterTurnFrame } from '../state/turns'
import type { HistoryShare } from '../history/share'
import type { Connection } from '../server/connection'
import type { PanelEvent } from '../state/panel_state'
import type { ToolCalls } from '../tools/calls'
import type { PendingRequests } from './pending_requests'
import type { BackgroundState } from './state'

export interface FrameTarget {
  memory: BackgroundState
  answers: PendingRequests
  connection: Pick<Connection, 'send'>
  history: Pick<HistoryShare, 'takeAnswer'>
  tools: Pick<ToolCalls, 'call' | 'cancel'>
  tell(event: PanelEvent): void
}

type Table = { [Type in ServerFrame['type']]: (penny: FrameTarget, frame: ServerFrameOf<Type>) => void | Promise<void> }

const NOT_STORED = 'not_stored'
const ignore = () => undefined

const table: Table = {
  'auth.challenge': ignore,
  welcome: ignore,
  pong: ignore,
  ack: takeAck,
  error: takeError,
  'message.new': receiveMessage,
  'history.page': (penny, { messages, more }) => penny.tell({ type: 'history', messages, more }),
  'history.found': ({ answers }, { ref, messages, more }) =>
    void answers.take(ref, { ok: true, matches: messages, more }),
  commands: ({ answers }, { ref, commands }) => void answers.take(ref, { ok: true, commands }),
  picture: ({ answers }, { ref, data }) =>
    void answers.take(ref, { ok: true, image: `data:image/webp;base64,${data}` }),
  'turn.started': showTurnFrame,
  'turn.delta': showTurnFrame,
  'turn.status': showTurnFrame,
  'turn.done': endTurn,
  'turn.failed': endTurn,
  'tool.call': (penny, frame) => penny.tools.call(frame),
  'tool.cancel': (penny, { call_id }) => penny.tools.cancel(call_id),
  'grant.ask': addAsk,
  'approval.ask': addAsk,
  'grant.dismiss': removeAsk,
  'approval.dismiss': removeAsk,
  'grants.sync': ({ memory }, frame) => memory.takeGrants(frame),
  'counts.changed': () => undefined, // for the pages of the site
  'thoughts.count': ({ memory }, { unread }) => memory.show({ unread }),
}

export async function takeServerFrame(penny: FrameTarget, frame: ServerFrame): Promise<void> {
  if (!Object.hasOwn(table, frame.type)) {
    console.warn('Penny: unknown frame', frame.type)
    return
  }
  // `frame.type` is the key of the table and tells the frames apart, but TypeScript cannot follow that through an
  // index.
  const handle = table[frame.type] as (penny: FrameTarget, frame: ServerFrame) => void | Promise<void>
  await handle(penny, frame)
}

async function receiveMessage(
  { memory, connection }: FrameTarget,
  { message }: ServerFrameOf<'message.new'>,
): Promise<void> {
  const storing = memory.receive(message)
  if (message.direction === 'in' && message.turn_id)
    await memory.setOutbox(without(memory.panel.unsent, message.turn_id))
  await storing
  connection.send({ type: 'message.ack', seq: message.seq })
}

async function takeAck({ answers, history, memory }: FrameTarget, frame: ServerFrameOf<'ack'>): Promise<void> {
  if (await history.takeAnswer(frame)) return
  const { ref } = frame
  if (!answers.take(ref, { ok: true })) await memory.setOutbox(withAck(memory.panel.unsent, ref))
}

async function takeError({ answers, history, memory }: FrameTarget, frame: ServerFrameOf<'error'>): Promise<void> {
  if (await history.takeAnswer(frame)) return
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
  penny: FrameTarget,
  frame: ServerFrameOf<'turn.started' | 'turn.delta' | 'turn.status' | 'turn.done' | 'turn.failed'>,
): void {
  penny.memory.panel.turns = afterTurnFrame(penny.memory.panel.turns, frame)
  penny.tell({ type: 'turn', frame })
}

async function endTurn(penny: FrameTarget, frame: ServerFrameOf<'turn.done' | 'turn.failed'>): Promise<void> {
  showTurnFrame(penny, frame)
  if (frame.message.temporary) await penny.memory.answeredInPassing(frame.turn_id, frame.message)
}

function addAsk({ memory }: FrameTarget, ask: ServerFrameOf<'grant.ask' | 'approval.ask'>): void {
  memory.show({ asks: withAsk(openAsks(memory.panel.asks, Date.now()), ask) })
}

function removeAsk({ memory }: FrameTarget, { request_id }: ServerFrameOf<'grant.dismiss' | 'approval.dismiss'>): void {
  memory.show({ asks: withoutAsk(memory.panel.asks, request_id) })
}
