// Every stored item, declared once. The background writes all of them except drafts, theme and `introduced`.
import { browser } from 'wxt/browser'
import { storage } from 'wxt/utils/storage'
import type {
  Acted,
  Attachment,
  DeviceInfo,
  GrantInfo,
  Message,
  Page,
  PageKeep,
  ThreadInfo,
  Visit,
} from '../protocol.gen'
import type { Pairing } from '../server/pairing'
import { MAIN, type Conversation, type View } from './conversation'
import type { Unsent } from './outbox'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

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

/** Which pages this browser keeps by itself. */
export type KeepMode = DeviceInfo['keeping']

/** `unsent`: the server does not know yet. */
export interface KeepSwitch {
  mode: KeepMode
  unsent: boolean
}

/**
 * How many pages were kept by themselves on a day, and when the last ones were. `dropped`: how many never reached the
 * server.
 */
export interface KeepCounts {
  day: string
  today: number
  last: number[]
  dropped: number
}

/** A page that the owner keeps, until the server has it. `dueAt`: when it is sent, in milliseconds. */
export interface WaitingPage {
  frame: PageKeep
  tab: { tab_id: number; url: string }
  dueAt: number
}

/** A tab that Penny opened. If it outlives the background, the next start closes it. */
export interface OpenTab {
  id: number
  url: string
}

/** A tab in which Penny acts. `ranges`: the frames that gave numbers to elements. */
export interface ErrandTab {
  name: string
  errand: string
  site: string
  id: number
  isOwn: boolean
  /** The owner has the page: Penny does nothing there until they give it back. */
  isTheirs: boolean
  version: number
  next: number
  ranges: { frameId: number; from: number; to: number }[]
}

/** Without a result, it was begun, and may have happened. */
export interface StoredAct {
  id: string
  acted: Acted | null
}

/** What the owner was asked about an act. */
export interface ActQuestion {
  digest: string
  tab: string
  /** A moment, in milliseconds. */
  at: number
}

export const stored = {
  pairing: storage.defineItem<Pairing | null>('local:pairing', { fallback: null }),
  outbox: storage.defineItem<Unsent[]>('local:outbox', { fallback: [] }),
  conversation: storage.defineItem<Conversation>('local:conversation', { fallback: { messages: [], cursor: null } }),
  threads: storage.defineItem<ThreadInfo[] | null>('local:threads', { fallback: null }),
  /** What the panel shows. */
  view: storage.defineItem<View>('local:view', { fallback: MAIN }),
  /** By view, the last `seq` that was there when the owner looked at it. */
  readTo: storage.defineItem<Record<string, number>>('local:read_to', { fallback: {} }),
  grants: storage.defineItem<GrantInfo[]>('local:grants', { fallback: [] }),
  toolSwitch: storage.defineItem<ToolSwitch>('local:tool_switch', { fallback: { on: true, unsent: false } }),
  history: storage.defineItem<HistorySwitch>('local:history', { fallback: { on: false, unsent: false, own: [] } }),
  keepSwitch: storage.defineItem<KeepSwitch>('local:keep_switch', { fallback: { mode: 'off', unsent: false } }),
  keepCounts: storage.defineItem<KeepCounts>('local:keep_counts', {
    fallback: { day: '', today: 0, last: [], dropped: 0 },
  }),
  /** Whether the next message is temporary. In memory, gone with the browser. */
  temporary: storage.defineItem<boolean>('session:temporary', { fallback: false }),
  /** Visits that were not reported yet. In memory, gone with the browser. */
  visits: storage.defineItem<Visit[]>('session:visits', { fallback: [] }),
  waitingPages: storage.defineItem<WaitingPage[]>('session:waiting_pages', { fallback: [] }),
  errandTabs: storage.defineItem<ErrandTab[]>('session:errand_tabs', { fallback: [] }),
  acts: storage.defineItem<StoredAct[]>('session:acts', { fallback: [] }),
  actQuestions: storage.defineItem<ActQuestion[]>('session:act_questions', { fallback: [] }),
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
  const { visits, temporary, waitingPages, errandTabs, acts, actQuestions } = stored
  const inMemory = [visits, temporary, waitingPages, errandTabs, acts, actQuestions]
  await Promise.all([browser.storage.local.remove(keys), ...inMemory.map((item) => item.removeValue())])
}
