// The messages between the background and the own pages (panel and options). A page connects a port named `panel`,
// which carries events of the background. Commands go by runtime.sendMessage, and each is answered by an Outcome.
import type { Ask } from './asks'
import { mergeMessages, withoutRanges, type Valence, type View } from './conversation'
import type { ServerFrameOf, TurnFrame } from '../server/frames'
import type {
  Attachment,
  CommandInfo,
  ErrandCommand,
  FileBegin,
  FileEnd,
  FilePart,
  FileState,
  GrantInfo,
  GrantRevoke,
  GrantSet,
  Look,
  Message,
  Page,
  SeqRange,
  ThreadInfo,
} from '../protocol.gen'
import type { Errand } from './errands'
import type { Proposal } from './proposal'
import type { PairingForm } from '../server/pairing'
import type { ConnectionState } from '../server/refusals'
import type { Pairing } from '../server/pairing'
import type { Unsent } from './outbox'
import type { KeepMode } from './stored'
import { afterTurnFrame, type Turn } from './turns'

export const PANEL_PORT = 'panel'

export interface Exchange {
  turn_id: string
  question: string
  page?: Page
  files?: Attachment[]
  answer: Message
}

/**
 * What becomes of the page of a tab that the owner keeps. `url`: what the tab showed. `message`: why it is not kept.
 */
export interface KeepingTab {
  ref: string
  tab_id: number
  url: string
  step: 'reading' | 'waiting' | 'sending' | 'kept' | 'failed'
  message?: string
  /** Nobody asked for it. */
  isAuto?: boolean
}

/** A page as numbered lines, in the parts in which a model gets it. All of it is text of the page. */
export interface Sight {
  parts: string[]
  lines: number
  refs: number
}

export interface PanelState {
  connection: ConnectionState
  pairing: Pick<Pairing, 'server' | 'label' | 'device_id'> | null
  messages: Message[]
  unsent: Unsent[]
  /** The threads that were used last, newest first. Null until a server that knows threads sent them. */
  threads: ThreadInfo[] | null
  /** Whether the server has others. */
  moreThreads: boolean
  turns: Turn[]
  asks: Ask[]
  unread: number
  /** Whether a model writes Penny's answers. */
  hasModel: boolean
  /** What keeps Penny from acting on pages. `unknown` until a server that can act said it. */
  obstacle: ServerFrameOf<'acting.changed'>['obstacle'] | 'unknown'
  /** Whether the owner stopped everything. */
  isStopped: boolean
  /** The newest search for a find that the owner started. */
  look: Look | null
  /** What Penny does on pages now. */
  errands: Errand[]
  toolUse: boolean
  /** Whether the history is shared, what the owner leaves out, and how many visits are not reported yet. */
  history: { on: boolean; own: string[]; waiting: number }
  /** The pages that the owner keeps, by their tabs. */
  keeping: KeepingTab[]
  /** What this browser keeps by itself, whether its server knows of it, and how many pages never reached the server. */
  keepMode: { mode: KeepMode; isKnown: boolean; dropped: number }
  /** The tabs whose page is or will be kept by itself. */
  keptTabs: number[]
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
  | { type: 'history'; messages: Message[]; more: boolean; thread?: View }
  | { type: 'gone'; ranges: readonly SeqRange[] }

export type GrantChoice = 'once' | 'run' | 'hour' | 'always' | 'always_clean' | 'block' | 'dismiss'
export type ApprovalChoice = 'allow' | 'dismiss'

/** What a surface that shows the conversation asks for. */
export type ConversationCommand =
  | { type: 'reconnect' }
  | {
      type: 'send'
      text: string
      page?: Page
      thought_id?: string
      parent_id?: string
      thread?: View
      temporary?: boolean
      mode?: 'act'
      tab?: string
      attachments?: Attachment[]
    }
  | { type: 'set_temporary'; on: boolean }
  | { type: 'forget_temporary' }
  | { type: 'ask_temporary_again'; turn_id: string }
  | { type: 'retry'; turn_id: string }
  | { type: 'ask_again'; message_id: string }
  | { type: 'go_on'; message_id: string }
  | { type: 'discard'; turn_id: string }
  | { type: 'cancel'; turn_id: string }
  | { type: 'answer_grant'; request_id: string; choice: GrantChoice }
  | { type: 'revoke_grant'; grant: Omit<GrantRevoke, 'type'> }
  | { type: 'answer_approval'; request_id: string; choice: ApprovalChoice; words?: string }
  | { type: 'allow_late'; ask_id: string; temporary_turn?: string }
  | { type: 'steer'; errand_id: string; act: ErrandCommand['do'] }
  | { type: 'react'; thought_id: string; valence: Valence }
  | { type: 'unreact'; thought_id: string; valence: Valence }
  | { type: 'older'; before_seq: number; limit?: number; thread?: View }
  | { type: 'search'; text: string; before_seq?: number; thread?: View }
  | { type: 'find_threads'; text: string }
  | { type: 'rename_thread'; thread_id: string; name: string }
  | { type: 'delete_thread'; thread_id: string }
  | { type: 'restore_thread'; thread_id: string }
  | { type: 'delete_message'; message_id: string }
  | { type: 'restore_message'; message_id: string }
  | { type: 'picture'; address: string }
  | { type: 'complete'; begun: string }
  | { type: 'send_file'; frame: FileBegin | FilePart | FileEnd }
  | { type: 'close_notice' }

/** What the pages of the extension ask for. */
export type PanelCommand =
  | ConversationCommand
  | ({ type: 'pair' } & PairingForm)
  | { type: 'find_offer'; tab_id: number }
  | { type: 'pair_offered'; tab_id: number; server: string; label: string }
  | { type: 'unpair' }
  | { type: 'read_tab'; tab_id: number }
  | { type: 'see_tab'; tab_id: number }
  | { type: 'keep_tab'; tab_id: number; url: string }
  | { type: 'undo_keeping'; ref: string }
  | { type: 'look_kept'; url: string }
  | { type: 'set_keeping'; mode: KeepMode }
  | { type: 'leave_site_out'; url: string }
  | { type: 'set_tool_use'; on: boolean }
  | { type: 'set_pictures'; on: boolean }
  | { type: 'set_history'; on: boolean }
  | { type: 'set_history_own'; list: string }
  | { type: 'take_proposal'; id: string }
  | { type: 'set_grant'; grant: Omit<GrantSet, 'type'> }
  | { type: 'rename'; label: string }
  | { type: 'set_purpose'; thinks: boolean; likes: string[] }
  | { type: 'forget_everything' }

export type PanelCommandOf<Type extends PanelCommand['type']> = Extract<PanelCommand, { type: Type }>

/**
 * `message` is for the owner. `server` answers `find_offer`, `page` answers `read_tab`, `sight` `see_tab`, `image` (a
 * data: URL) `picture`, `commands` `complete`,
 * `kept_at` and `kept_entry` (absent where it is not kept) `look_kept`, `file` `send_file`.
 * `matches` (oldest first) and `more` answer `search`, `threads` answers `find_threads`.
 */
export type Outcome =
  | {
      ok: true
      server?: string
      page?: Page
      sight?: Sight
      image?: string
      matches?: Message[]
      more?: boolean
      commands?: CommandInfo[]
      threads?: ThreadInfo[]
      kept_at?: string
      kept_entry?: string
      file?: Omit<FileState, 'type'>
    }
  | Failure

/** `is_lost`: the server may have heard of it or not. The same can be asked again. */
export interface Failure {
  ok: false
  message: string
  is_lost?: true
}

export const EMPTY_STATE: PanelState = {
  connection: { name: 'connecting' },
  pairing: null,
  messages: [],
  unsent: [],
  threads: null,
  moreThreads: false,
  turns: [],
  asks: [],
  unread: 0,
  hasModel: true,
  obstacle: 'unknown',
  isStopped: false,
  look: null,
  errands: [],
  toolUse: true,
  history: { on: false, own: [], waiting: 0 },
  keeping: [],
  keepMode: { mode: 'off', isKnown: false, dropped: 0 },
  keptTabs: [],
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
      return isInGap(state.messages, event.message) ? state : withMessages(state, [event.message])
    case 'history':
      return withMessages(state, event.messages)
    case 'gone':
      return { ...state, messages: withoutRanges(state.messages, event.ranges) }
  }
}

function withMessages(state: PanelState, messages: Message[]): PanelState {
  return { ...state, messages: mergeMessages(state.messages, messages) }
}

/** Whether messages of its thread are missing between it and those here. They are fetched together. */
function isInGap(messages: readonly Message[], message: Message): boolean {
  const first = messages.find(({ thread }) => thread === message.thread)
  return first !== undefined && message.seq < first.seq
}

function isSameServer(a: PanelState, b: PanelState): boolean {
  return a.pairing !== null && a.pairing.server === b.pairing?.server
}
