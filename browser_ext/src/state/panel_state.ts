// The messages between the background and the own pages (panel and options). A page connects a port named `panel`,
// which carries events of the background. Commands go by runtime.sendMessage, and each is answered by an Outcome.
import type { Ask } from './asks'
import { mergeMessages, type Valence } from './conversation'
import type { TurnFrame } from '../server/frames'
import type { Attachment, CommandInfo, GrantInfo, GrantRevoke, GrantSet, Message, Page } from '../protocol.gen'
import type { Proposal } from './proposal'
import type { PairingForm } from '../server/pairing'
import type { ConnectionState } from '../server/connection_state'
import type { Pairing } from '../server/pairing'
import type { Unsent } from './stored'
import { afterTurnFrame, type Turn } from './turns'

export const PANEL_PORT = 'panel'

export interface Exchange {
  turn_id: string
  question: string
  page?: Page
  files?: Attachment[]
  answer: Message
}

export interface PanelState {
  connection: ConnectionState
  pairing: Pick<Pairing, 'server' | 'label' | 'device_id'> | null
  messages: Message[]
  unsent: Unsent[]
  turns: Turn[]
  asks: Ask[]
  unread: number
  toolUse: boolean
  /** Whether the history is shared, what the owner leaves out, and how many visits are not reported yet. */
  history: { on: boolean; own: string[]; waiting: number }
  /** As the server last sent them. */
  grants: GrantInfo[]
  /** One sentence about something that failed, until the owner closes it. */
  notice: string | null
  /** Answered temporary questions. They exist only here, until the owner leaves them. */
  temporary: Exchange[]
  /** Whether the next message is temporary. */
  isTemporary: boolean
  /** What the owner chose outside the panel, until a panel of that window takes it. */
  proposal: Proposal | null
}

export type PanelEvent =
  | { type: 'state'; state: PanelState }
  | { type: 'change'; change: Partial<PanelState> }
  | { type: 'turn'; frame: TurnFrame }
  | { type: 'message'; message: Message }
  | { type: 'history'; messages: Message[]; more: boolean }

export type GrantChoice = 'once' | 'run' | 'hour' | 'always' | 'block' | 'dismiss'
export type ApprovalChoice = 'allow' | 'deny' | 'dismiss'

export type PanelCommand =
  | ({ type: 'pair' } & PairingForm)
  | { type: 'unpair' }
  | { type: 'reconnect' }
  | { type: 'read_tab'; tab_id: number }
  | { type: 'send'; text: string; page?: Page; parent_id?: string; temporary?: boolean; attachments?: Attachment[] }
  | { type: 'set_temporary'; on: boolean }
  | { type: 'forget_temporary' }
  | { type: 'ask_temporary_again'; turn_id: string }
  | { type: 'retry'; turn_id: string }
  | { type: 'ask_again'; message_id: string }
  | { type: 'discard'; turn_id: string }
  | { type: 'cancel'; turn_id: string }
  | { type: 'answer_grant'; request_id: string; choice: GrantChoice }
  | { type: 'answer_approval'; request_id: string; choice: ApprovalChoice }
  | { type: 'react'; thought_id: string; valence: Valence }
  | { type: 'unreact'; thought_id: string; valence: Valence }
  | { type: 'set_tool_use'; on: boolean }
  | { type: 'set_pictures'; on: boolean }
  | { type: 'set_history'; on: boolean }
  | { type: 'set_history_own'; list: string }
  | { type: 'older'; before_seq: number; limit?: number }
  | { type: 'search'; text: string; before_seq?: number }
  | { type: 'picture'; address: string }
  | { type: 'complete'; begun: string }
  | { type: 'close_notice' }
  | { type: 'take_proposal'; id: string }
  | { type: 'set_grant'; grant: Omit<GrantSet, 'type'> }
  | { type: 'revoke_grant'; grant: Omit<GrantRevoke, 'type'> }
  | { type: 'rename'; label: string }
  | { type: 'set_purpose'; thinks: boolean; likes: string[] }
  | { type: 'forget_everything' }

export type PanelCommandOf<Type extends PanelCommand['type']> = Extract<PanelCommand, { type: Type }>

/**
 * `message` is for the owner. `page` answers `read_tab`, `image` (a data: URL) `picture`, `commands` `complete`.
 * `matches` (oldest first) and `more` answer `search`.
 */
export type Outcome =
  | { ok: true; page?: Page; image?: string; matches?: Message[]; more?: boolean; commands?: CommandInfo[] }
  | { ok: false; message: string }

export const EMPTY_STATE: PanelState = {
  connection: { name: 'connecting' },
  pairing: null,
  messages: [],
  unsent: [],
  turns: [],
  asks: [],
  unread: 0,
  toolUse: true,
  history: { on: false, own: [], waiting: 0 },
  grants: [],
  notice: null,
  temporary: [],
  isTemporary: false,
  proposal: null,
}

const EXCHANGES_MOST = 8

/** The sealed exchanges that go with the next temporary question, oldest first. */
export function saidInPassing(exchanges: readonly Exchange[]): string[] {
  return exchanges.flatMap(({ answer }) => answer.sealed ?? []).slice(-EXCHANGES_MOST)
}

/** Apply an event. Messages are only added, so that older ones that were fetched stay. */
export function afterEvent(state: PanelState, event: PanelEvent): PanelState {
  switch (event.type) {
    case 'state':
      return isSameServer(state, event.state) ? withMessages(event.state, state.messages) : event.state
    case 'change':
      return { ...state, ...event.change }
    case 'turn':
      return { ...state, turns: afterTurnFrame(state.turns, event.frame) }
    case 'message':
      return withMessages(state, [event.message])
    case 'history':
      return withMessages(state, event.messages)
  }
}

function withMessages(state: PanelState, messages: Message[]): PanelState {
  return { ...state, messages: mergeMessages(state.messages, messages) }
}

function isSameServer(a: PanelState, b: PanelState): boolean {
  return a.pairing !== null && a.pairing.server === b.pairing?.server
}
