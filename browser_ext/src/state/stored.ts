// Every stored item, declared once. The background writes all of them except drafts, theme and `introduced`.
import { browser } from 'wxt/browser'
import { storage } from 'wxt/utils/storage'
import type { Attachment, GrantInfo, Message, Page, Visit } from '../protocol.gen'
import type { Pairing } from '../server/pairing'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export interface Unsent {
  turn_id: string
  text: string
  /** The page that goes along. */
  page?: Page
  attachments?: Attachment[]
  /** The message that it replies to. For a question that is asked again: the message that says why it failed. */
  parent_id?: string
  /**
   * Not stored by the server, not learned from, and on no other device. It is sent on each connection until its answer
   * arrives.
   */
  temporary?: boolean
  created_at: string
  /** `sent`: acknowledged, but not yet back as `message.new`. */
  state: 'queued' | 'sent' | 'failed'
  /** How often the server closed the socket over this message. A message that always does must not be sent for ever. */
  strikes: number
  error?: string
}

/**
 * The newest messages without a gap, and the `seq` from which the server replays. One item, so that both move together.
 */
export interface Conversation {
  messages: Message[]
  cursor: number | null
}

export interface ToolSwitch {
  on: boolean
  /** The switch changed while the server was not reachable. */
  unsent: boolean
}

/** Whether this browser's history is shared, and what the owner leaves out. `unsent`: the server does not know yet. */
export interface HistorySwitch {
  on: boolean
  unsent: boolean
  own: string[]
}

/** A tab that Penny opened. If it outlives the background, the next start closes it. */
export interface OpenTab {
  id: number
  url: string
}

export const stored = {
  pairing: storage.defineItem<Pairing | null>('local:pairing', { fallback: null }),
  outbox: storage.defineItem<Unsent[]>('local:outbox', { fallback: [] }),
  conversation: storage.defineItem<Conversation>('local:conversation', { fallback: { messages: [], cursor: null } }),
  grants: storage.defineItem<GrantInfo[]>('local:grants', { fallback: [] }),
  toolSwitch: storage.defineItem<ToolSwitch>('local:tool_switch', { fallback: { on: true, unsent: false } }),
  history: storage.defineItem<HistorySwitch>('local:history', { fallback: { on: false, unsent: false, own: [] } }),
  /** Whether the next message is temporary. In memory, gone with the browser. */
  temporary: storage.defineItem<boolean>('session:temporary', { fallback: false }),
  /** Visits that were not reported yet. In memory, gone with the browser. */
  visits: storage.defineItem<Visit[]>('session:visits', { fallback: [] }),
  introduced: storage.defineItem<boolean>('local:introduced', { fallback: false }),
  theme: storage.defineItem<Theme>('local:theme', { fallback: 'system' }),
  /** Whether Penny may take pictures of the page in front. */
  pictures: storage.defineItem<boolean>('local:pictures', { fallback: false }),
  draft: storage.defineItem<string>('local:draft', { fallback: '' }),
  /** A draft that was replaced by something to be sent first. */
  draftAside: storage.defineItem<string>('local:draft_aside', { fallback: '' }),
  draftFiles: storage.defineItem<Attachment[]>('local:draft_files', { fallback: [] }),
  /** The passage that the draft is about. */
  draftPassage: storage.defineItem<Page | null>('local:draft_passage', { fallback: null }),
  draftQuoted: storage.defineItem<Message | null>('local:draft_quoted', { fallback: null }),
  tabs: storage.defineItem<OpenTab[]>('local:tabs', { fallback: [] }),
  containers: storage.defineItem<string[]>('local:containers', { fallback: [] }),
  /** Survives the death of Chrome's worker, but not a restart of the browser: then a refusal is worth a new try. */
  refusal: storage.defineItem<string | null>('session:refusal', { fallback: null }),
}

/** Remove the item when nothing is open. */
export function setOpenMarks<Mark>(
  item: { setValue: (marks: Mark[]) => Promise<void>; removeValue: () => Promise<void> },
  marks: Mark[],
): Promise<void> {
  return marks.length > 0 ? item.setValue(marks) : item.removeValue()
}

/**
 * Remove everything but the list of tabs and containers that are still open. That list is not rewritten: closing may
 * change it at the same time.
 */
export async function forgetStored(): Promise<void> {
  const items: Record<string, unknown> = await browser.storage.local.get(null)
  const isMark = (key: string) =>
    [stored.tabs.key, stored.containers.key].includes(`local:${key}`) && (items[key] as unknown[]).length > 0
  const keys = Object.keys(items).filter((key) => !isMark(key))
  await Promise.all([browser.storage.local.remove(keys), stored.visits.removeValue(), stored.temporary.removeValue()])
}
