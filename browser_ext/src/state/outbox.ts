// Messages of the owner that the server does not have yet. Pure lists: the background stores the result.
import type { ClientFrameOf } from '../server/frames'
import type { Attachment, Message, Page } from '../protocol.gen'
import { say } from '../say'

export interface Unsent {
  turn_id: string
  text: string
  /** The page that goes along. */
  page?: Page
  /** The find that it is about. */
  thought_id?: string
  attachments?: Attachment[]
  /** The message that it replies to. For a question that is asked again: the message that says why it failed. */
  parent_id?: string
  /** The thread that it is written in. A reply goes to that of its parent. */
  thread?: string
  /**
   * Not stored by the server, not learned from, and on no other device. It is sent on each connection until its answer
   * arrives.
   */
  temporary?: boolean
  /** Penny may act on pages for it, and in the tab of this site in front of the owner. */
  mode?: 'act'
  tab?: string
  created_at: string
  /** `sent`: acknowledged, but not yet back as `message.new`. */
  state: 'queued' | 'sent' | 'failed'
  /** How often the server closed the socket over this message. A message that always does must not be sent for ever. */
  strikes: number
  error?: string
}

/** After so many closed connections a message counts as failed, so that it does not close the next one. */
const STRIKES = 3

/** A message with what goes along. */
export type Draft = Pick<
  Unsent,
  'turn_id' | 'text' | 'page' | 'thought_id' | 'parent_id' | 'thread' | 'temporary' | 'mode' | 'tab' | 'attachments'
>

export function withNew(outbox: Unsent[], draft: Draft, now: Date): Unsent[] {
  return [...outbox, { ...draft, created_at: now.toISOString(), state: 'queued', strikes: 0 }]
}

/**
 * The turn has the id of the failure, or of the unfinished answer, that it follows: asked twice, on any devices, it is
 * one turn. The server still has the page.
 */
export function withRetry(outbox: Unsent[], text: string, before: Message, now: Date): Unsent[] {
  if (outbox.some((entry) => entry.turn_id === before.id)) return outbox
  const entry = { turn_id: before.id, parent_id: before.id, text }
  return [...outbox, { ...entry, created_at: now.toISOString(), state: 'queued', strikes: 0 }]
}

/** `earlier`: the sealed exchanges of the temporary chat. A message carries either these, a page, or files. */
export function chatSend(
  { turn_id, text, page, thought_id, parent_id, thread, temporary, mode, tab, attachments }: Draft,
  earlier: string[] = [],
): ClientFrameOf<'chat.send'> {
  const before = temporary && !page && !attachments && earlier.length > 0 ? { earlier } : {}
  return {
    type: 'chat.send',
    turn_id,
    text,
    ...(page && { page }),
    ...(thought_id && { thought_id }),
    ...(parent_id && { parent_id }),
    ...(thread && { thread }),
    ...(temporary && { temporary }),
    ...(mode && { mode }),
    ...(tab && { tab }),
    ...(attachments && { attachments }),
    ...before,
  }
}

export function queuedEntries(outbox: Unsent[]): Unsent[] {
  return outbox.filter((entry) => entry.state === 'queued')
}

/** The server has it. It stays visible until it comes back as a message. */
export function withAck(outbox: Unsent[], ref: string): Unsent[] {
  return outbox.map((entry) => (entry.turn_id === ref && !entry.temporary ? { ...entry, state: 'sent' } : entry))
}

export function withFailure(outbox: Unsent[], ref: string, error: string): Unsent[] {
  return change(outbox, ref, { state: 'failed', error })
}

export function withRetryOf(outbox: Unsent[], ref: string): Unsent[] {
  return outbox.map((entry) => {
    if (entry.turn_id !== ref) return entry
    const { error: _error, ...rest } = entry
    return { ...rest, state: 'queued', strikes: 0 }
  })
}

export function without(outbox: Unsent[], ref: string): Unsent[] {
  return outbox.filter((entry) => entry.turn_id !== ref)
}

/** The server closed the socket as malformed or too large while these were unanswered. */
export function withStrikes(outbox: Unsent[]): Unsent[] {
  return outbox.map((entry) => (entry.state === 'queued' ? strike(entry) : entry))
}

function strike(entry: Unsent): Unsent {
  const strikes = entry.strikes + 1
  return strikes < STRIKES ? { ...entry, strikes } : { ...entry, strikes, state: 'failed', error: say('gave_up') }
}

function change(outbox: Unsent[], ref: string, fields: Partial<Unsent>): Unsent[] {
  return outbox.map((entry) => (entry.turn_id === ref ? { ...entry, ...fields } : entry))
}
