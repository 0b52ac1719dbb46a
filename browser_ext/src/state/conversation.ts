// Lists of messages in the order of the server, each once.
import type { Message, PageHeader } from '../protocol.gen'
import type { Conversation } from './stored'

export const KEPT_MESSAGES = 200

/** Later versions of a message replace earlier ones. */
export function mergeMessages(messages: readonly Message[], more: readonly Message[]): Message[] {
  const byId = new Map([...messages, ...more].map((message) => [message.id, message]))
  return [...byId.values()].sort((a, b) => a.seq - b.seq)
}

/** Whether a message's page is a picture of Penny's own, which stands for the turn that it was drawn in. */
export function isDrawn({ page, turn_id }: Pick<Message, 'page' | 'turn_id'>): boolean {
  return !!page && !!turn_id && URL.canParse(page.url) && new URL(page.url).pathname.endsWith(`/turns/${turn_id}/`)
}

/**
 * Returns the page that a message shows: what a question is about, its picture once the answer brought it; what an answer comes from,
 * unless its question shows that already. A picture that Penny drew is her answer's alone.
 */
export function pageOf(messages: readonly Message[], message: Message): PageHeader | null {
  const { page, direction, turn_id } = message
  if (!page) return null
  if (isDrawn(message)) return direction === 'out' ? page : null
  const other = turn_id && messages.find((message) => message.direction !== direction && message.turn_id === turn_id && message.page)?.page
  if (direction === 'out') return other && other.url === page.url ? null : page
  return page.image || !other ? page : other
}

/** Returns the message that the owner replied to. An answer's parent is its question, and a question's may be the failure before it. */
export function quotedBy({ direction, parent_id }: Message, byId: ReadonlyMap<string, Message>): Message | undefined {
  const parent = direction === 'in' && parent_id ? byId.get(parent_id) : undefined
  return parent && (parent.kind === 'failure' || parent.kind === 'cancelled') ? undefined : parent
}

/** Returns the messages that hold all the words of a text, whatever their case, as the server finds them in the whole history. */
export function messagesContaining(messages: readonly Message[], text: string): Message[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return messages.filter((message) => message.kind !== 'reaction' && words.every((word) => message.text.toLowerCase().includes(word)))
}

export type Valence = 1 | -1

/** What stands of each thought after the owner's reactions to it, wherever they were given; what has none is missing. */
export function reactionsIn(messages: readonly Message[]): Map<string, Valence> {
  const standing = new Map<string, Valence>()
  for (const { kind, thought_id, reaction } of messages) {
    if (kind !== 'reaction' || !thought_id) continue
    if (reaction) standing.set(thought_id, reaction)
    else standing.delete(thought_id)
  }
  return standing
}

/** Returns the question that a failure, or the owner's stop, leaves unanswered, unless it was asked again already, or is too old to be here. */
export function questionToRetry(messages: readonly Message[], failure: Message): Message | undefined {
  const isUnanswered = failure.kind === 'failure' || failure.kind === 'cancelled'
  if (!isUnanswered || messages.some((message) => message.turn_id === failure.id)) return undefined
  return messages.find((message) => message.direction === 'in' && message.turn_id && message.turn_id === failure.turn_id)
}

/** The conversation after a received message: the newest 200, and the cursor behind the last one. */
export function withMessage(conversation: Conversation, message: Message): Conversation {
  const messages = mergeMessages(conversation.messages, [message]).slice(-KEPT_MESSAGES)
  return { messages, cursor: Math.max(conversation.cursor ?? 0, message.seq) }
}
