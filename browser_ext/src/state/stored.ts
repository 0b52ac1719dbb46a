// Everything that the extension keeps, declared once. The background owns all of it but the draft, the theme and whether the first run is over.
import { browser } from 'wxt/browser'
import { storage } from 'wxt/utils/storage'
import type { Attachment, GrantInfo, Message, Page, Visit } from '../protocol.gen'
import type { Pairing } from '../server/pairing'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export interface Unsent {
  turn_id: string
  text: string
  /** What the owner sent along of the tab that they looked at. */
  page?: Page
  /** Files, as they go with it. */
  attachments?: Attachment[]
  /** What it replies to; of a question that is asked once more: the message that says why it was not answered. */
  parent_id?: string
  /** Neither kept nor learned from, and on no other device: sent on each connection until its answer is here, which alone ends it. */
  temporary?: boolean
  created_at: string
  /** `sent`: acknowledged, and waiting for its own `message.new`. */
  state: 'queued' | 'sent' | 'failed'
  /** How often the server closed the socket over this session's frames; a poisonous one must not be resent for ever. */
  strikes: number
  error?: string
}

/** The newest messages without a gap, and the `seq` that the server replays from. Kept as one so that both move together. */
export interface Conversation {
  messages: Message[]
  cursor: number | null
}

export interface ToolSwitch {
  on: boolean
  /** The owner turned the switch while the server could not be told. */
  unsent: boolean
}

/** Whether the owner shares this browser's history, and what they leave out of it. `unsent`: the server was not told yet. */
export interface HistorySwitch {
  on: boolean
  unsent: boolean
  own: string[]
}

/** A tab that Penny opened; if it outlives the background, the next start closes it. */
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
  /** Whether what is asked next is temporary: in memory only, gone with the browser. */
  temporary: storage.defineItem<boolean>('session:temporary', { fallback: false }),
  /** Visits that were not told yet: in memory only, gone with the browser. */
  visits: storage.defineItem<Visit[]>('session:visits', { fallback: [] }),
  /** Whether the first run is over in this browser. */
  introduced: storage.defineItem<boolean>('local:introduced', { fallback: false }),
  theme: storage.defineItem<Theme>('local:theme', { fallback: 'system' }),
  /** Whether Penny may take pictures of the page in front. */
  pictures: storage.defineItem<boolean>('local:pictures', { fallback: false }),
  draft: storage.defineItem<string>('local:draft', { fallback: '' }),
  /** A draft that something else to be sent first took the place of. */
  draftAside: storage.defineItem<string>('local:draft_aside', { fallback: '' }),
  draftFiles: storage.defineItem<Attachment[]>('local:draft_files', { fallback: [] }),
  /** What the owner selected on a page for it. */
  draftPassage: storage.defineItem<Page | null>('local:draft_passage', { fallback: null }),
  draftQuoted: storage.defineItem<Message | null>('local:draft_quoted', { fallback: null }),
  tabs: storage.defineItem<OpenTab[]>('local:tabs', { fallback: [] }),
  containers: storage.defineItem<string[]>('local:containers', { fallback: [] }),
  /** Survives the death of Chrome's worker, not a restart of the browser: a refusal is worth one new try then. */
  refusal: storage.defineItem<string | null>('session:refusal', { fallback: null }),
}

/** Keeps marks of what is still to be closed; nothing where nothing is. */
export function setOpenMarks<Mark>(item: { setValue: (marks: Mark[]) => Promise<void>; removeValue: () => Promise<void> }, marks: Mark[]): Promise<void> {
  return marks.length > 0 ? item.setValue(marks) : item.removeValue()
}

/**
 * Removes everything, but for the marks of tabs and containers that are still to be closed. These are not touched: they may be closed at this
 * moment, and what was read before would be put back.
 */
export async function forgetStored(): Promise<void> {
  const items: Record<string, unknown> = await browser.storage.local.get(null)
  const isMark = (key: string) => [stored.tabs.key, stored.containers.key].includes(`local:${key}`) && (items[key] as unknown[]).length > 0
  const keys = Object.keys(items).filter((key) => !isMark(key))
  await Promise.all([browser.storage.local.remove(keys), stored.visits.removeValue(), stored.temporary.removeValue()])
}
