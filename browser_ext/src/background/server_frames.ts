// What each frame of the server does. A frame type without an entry does not compile.
import { CONVERSATION_FRAMES, handleFrame, type FrameTable } from '../client/frames'
import type { ConversationTarget } from '../client/target'
import type { HistoryShare } from '../history/share'
import type { Ack, Error as ErrorFrame, ServerFrame } from '../protocol.gen'
import type { OwnerWatch } from '../tools/acting/owner_watch'
import type { Vault } from '../vault/vault'
import type { ToolCalls } from '../tools/calls'
import type { Bars } from './bar'
import type { BackgroundState } from './state'

export interface FrameTarget extends ConversationTarget {
  memory: BackgroundState
  history: Pick<HistoryShare, 'takeAnswer'>
  vault: Pick<Vault, 'takeAnswer'>
  bars: Pick<Bars, 'take'>
  tools: Pick<ToolCalls, 'call' | 'cancel'>
  owner: Pick<OwnerWatch, 'take'>
}

const ignore = () => undefined

const table: FrameTable<FrameTarget, ServerFrame['type']> = {
  ...CONVERSATION_FRAMES,
  'auth.challenge': ignore,
  welcome: ignore,
  pong: ignore,
  ack: async (penny, frame) => {
    if (!(await isTaken(penny, frame))) await CONVERSATION_FRAMES.ack(penny, frame)
  },
  error: async (penny, frame) => {
    if (!penny.bars.take(frame) && !(await isTaken(penny, frame))) await CONVERSATION_FRAMES.error(penny, frame)
  },
  picture: ({ answers }, { ref, data }) =>
    void answers.take(ref, { ok: true, image: `data:image/webp;base64,${data}` }),
  'kept.state': ({ answers }, { ref, kept_at, entry }) =>
    void answers.take(ref, { ok: true, ...(kept_at && entry && { kept_at, kept_entry: entry }) }),
  'tool.call': (penny, frame) => penny.tools.call(frame),
  'tool.cancel': (penny, { call_id }) => penny.tools.cancel(call_id),
  'errand.changed': async (penny, frame) => {
    CONVERSATION_FRAMES['errand.changed'](penny, frame)
    await penny.owner.take(frame.errand)
  },
  'grants.sync': ({ memory }, frame) => memory.takeGrants(frame),
  'text.started': ignore,
  'text.delta': ({ bars }, frame) => void bars.take(frame),
  'text.done': ({ bars }, frame) => void bars.take(frame),
  'counts.changed': ignore, // for the pages of the site
}

/** Whether it answers a report of the history, or a page that is kept. */
async function isTaken({ history, vault }: FrameTarget, frame: Ack | ErrorFrame): Promise<boolean> {
  return (await history.takeAnswer(frame)) || (await vault.takeAnswer(frame))
}

export async function takeServerFrame(penny: FrameTarget, frame: ServerFrame): Promise<void> {
  await handleFrame(table, penny, frame)
}
