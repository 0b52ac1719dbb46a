// What of the conversation is in view: one thread, or the messages that have none.
import type { Message, ThreadInfo } from '../../protocol.gen'
import { KEPT_MESSAGES, MAIN, type View } from '../../state/conversation'
import type { Unsent } from '../../state/outbox'
import type { PanelState } from '../../state/panel_state'

const READ_MOST = 150
/** The key of what was there before the first look at any view. */
const BEFORE = 'before'

export type ReadTo = Record<string, number>

export function viewOf({ thread }: Pick<Message, 'thread'>): View {
  return thread ?? MAIN
}

/** Return the state with what is in view alone. A server that knows no threads sends one conversation. */
export function inView(state: PanelState, view: View): PanelState {
  if (!state.threads) return state
  const { messages, unsent, turns } = state
  const byTurn = new Map<string, View>()
  for (const message of messages) if (message.turn_id) byTurn.set(message.turn_id, viewOf(message))
  for (const entry of unsent) byTurn.set(entry.turn_id, viewOfUnsent(entry, messages))
  return {
    ...state,
    messages: messages.filter((message) => viewOf(message) === view),
    unsent: unsent.filter((entry) => entry.temporary || byTurn.get(entry.turn_id) === view),
    turns: turns.filter(({ turn_id }) => (byTurn.get(turn_id) ?? MAIN) === view),
  }
}

/** How many messages of a view lie above its newest before they are worth dropping. */
export const SPARE_MESSAGES = 100

/** Return the messages without the oldest of each long view. They are fetched again where the owner scrolls up. */
export function withoutOldest(messages: readonly Message[]): Message[] {
  const counts = new Map<View, number>()
  const isNewest = (message: Message) => {
    const count = (counts.get(viewOf(message)) ?? 0) + 1
    counts.set(viewOf(message), count)
    return count <= KEPT_MESSAGES
  }
  return messages.toReversed().filter(isNewest).toReversed()
}

/** A reply goes to the thread of its parent. */
function viewOfUnsent({ parent_id, thread }: Unsent, messages: readonly Message[]): View {
  const parent = parent_id ? messages.find(({ id }) => id === parent_id) : undefined
  return parent ? viewOf(parent) : (thread ?? MAIN)
}

/** Return the views in which Penny wrote since the owner looked at them. */
export function viewsWithNews(messages: readonly Message[], readTo: ReadTo, view: View): Set<View> {
  const news = messages.filter(
    (message) => message.direction === 'out' && message.seq > (readTo[viewOf(message)] ?? readTo[BEFORE] ?? Infinity),
  )
  return new Set(news.map(viewOf).filter((other) => other !== view))
}

/** The owner looks at a view now. The entries of threads that are listed no more go first. */
export function afterLook(readTo: ReadTo, view: View, newest: number, threads: readonly ThreadInfo[]): ReadTo {
  const next = { [BEFORE]: newest, ...readTo, [view]: newest }
  if (Object.keys(next).length <= READ_MOST) return next
  const usedKeys = new Set([BEFORE, MAIN, view, ...threads.map(({ id }) => id)])
  return Object.fromEntries(Object.entries(next).filter(([key]) => usedKeys.has(key)))
}

/** The threads that were used last first, also by messages that came since the server sent the list. */
export function inOrderOfUse(threads: readonly ThreadInfo[], messages: readonly Message[]): ThreadInfo[] {
  const usedAt = new Map(threads.map(({ id, used_at }) => [id, used_at]))
  for (const { thread, created_at } of messages) {
    if (thread && (usedAt.get(thread) ?? '') < created_at) usedAt.set(thread, created_at)
  }
  return threads
    .map((thread) => ({ ...thread, used_at: usedAt.get(thread.id) ?? thread.used_at }))
    .sort((a, b) => b.used_at.localeCompare(a.used_at))
}
