// Lists of messages in the order of the server, each message once.
import type { Message, PageHeader, SeqRange } from '../protocol.gen'

export const KEPT_MESSAGES = 200
export const MAIN = 'main'
/** The id of a thread, or `main`: the messages that have none. */
export type View = string

/**
 * The newest messages without a gap, and the `seq` from which the server replays. One item, so that both move together.
 */
export interface Conversation {
  messages: Message[]
  cursor: number | null
}

/** A later version of a message replaces an earlier one. */
export function mergeMessages(messages: readonly Message[], more: readonly Message[]): Message[] {
  const byId = new Map([...messages, ...more].map((message) => [message.id, message]))
  return [...byId.values()].sort((a, b) => a.seq - b.seq)
}

export function withoutRanges(messages: readonly Message[], ranges: readonly SeqRange[]): Message[] {
  return messages.filter(({ seq }) => !ranges.some(({ first, last }) => first <= seq && seq <= last))
}

/** Whether the page of a message is a picture that Penny drew in that turn. */
export function isDrawn({ page, turn_id }: Pick<Message, 'page' | 'turn_id'>): boolean {
  return !!page && !!turn_id && URL.canParse(page.url) && new URL(page.url).pathname.endsWith(`/turns/${turn_id}/`)
}

/**
 * Return the page that a message shows. A question shows its page, with the picture that came with the answer. An
 * answer shows its source unless the question already does. A picture that Penny drew stands at the answer.
 */
export function pageOf(messages: readonly Message[], message: Message): PageHeader | null {
  const { page, direction, turn_id } = message
  if (!page) return null
  if (isDrawn(message)) return direction === 'out' ? page : null
  const other =
    turn_id &&
    messages.find((message) => message.direction !== direction && message.turn_id === turn_id && message.page)?.page
  if (direction === 'out') return other && other.url === page.url ? null : page
  return page.image || !other ? page : other
}

/**
 * Return the message that the owner replied to. The parent of an answer is its question; the parent of a question may
 * be the failure before it.
 */
export function quotedBy({ direction, parent_id }: Message, byId: ReadonlyMap<string, Message>): Message | undefined {
  const parent = direction === 'in' && parent_id ? byId.get(parent_id) : undefined
  return parent && (parent.kind === 'failure' || parent.kind === 'cancelled') ? undefined : parent
}

/** Return the messages that hold all words of a text, ignoring case, as the server's search does. */
export function messagesContaining(messages: readonly Message[], text: string): Message[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return messages.filter(
    (message) => message.kind !== 'reaction' && words.every((word) => message.text.toLowerCase().includes(word)),
  )
}

export type Valence = 1 | -1

/** The valence of each thought after all reactions of the owner, on any device. A thought without one is missing. */
export function reactionsIn(messages: readonly Message[]): Map<string, Valence> {
  const standing = new Map<string, Valence>()
  for (const { kind, thought_id, reaction } of messages) {
    if (kind !== 'reaction' || !thought_id) continue
    if (reaction) standing.set(thought_id, reaction)
    else standing.delete(thought_id)
  }
  return standing
}

/** Return the unanswered question of a failure or a stop. Null if it was asked again or is too old to be here. */
export function questionToRetry(messages: readonly Message[], failure: Message): Message | undefined {
  const isUnanswered = failure.kind === 'failure' || failure.kind === 'cancelled'
  if (!isUnanswered || messages.some((message) => message.turn_id === failure.id)) return undefined
  return messages.find(
    (message) => message.direction === 'in' && message.turn_id && message.turn_id === failure.turn_id,
  )
}

/** Whether Penny may be asked to go on with this answer: it is not whole, and nobody asked her yet. */
export function canGoOnWith(messages: readonly Message[], answer: Message): boolean {
  return (
    !!answer.goes_on && !messages.some(({ turn_id, parent_id }) => answer.id === turn_id || answer.id === parent_id)
  )
}

/**
 * Add a received message: the newest 200 stay, and the cursor moves behind the last one. An older one than these, which
 * was changed or brought back, would leave a gap.
 */
export function withMessage(conversation: Conversation, message: Message): Conversation {
  const isOlder = message.seq < (conversation.messages[0]?.seq ?? 0)
  const messages = mergeMessages(conversation.messages, isOlder ? [] : [message]).slice(-KEPT_MESSAGES)
  return { messages, cursor: Math.max(conversation.cursor ?? 0, message.seq) }
}
