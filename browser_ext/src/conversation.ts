// Lists of messages in the order of the server, each once.
import type { Message, PageHeader } from './protocol.gen'
import type { Conversation } from './stored'

export const KEPT_MESSAGES = 200

/** Later versions of a message replace earlier ones. */
export function merged(known: readonly Message[], more: readonly Message[]): Message[] {
  const byId = new Map([...known, ...more].map((message) => [message.id, message]))
  return [...byId.values()].sort((a, b) => a.seq - b.seq)
}

/** Returns the page that a message is about. Its picture is there once it was answered, and comes with the answer. */
export function pageOf(messages: readonly Message[], { page, direction, turn_id }: Message): PageHeader | null {
  if (!page || page.image || direction !== 'in') return page ?? null
  return messages.find((message) => message.direction === 'out' && message.turn_id === turn_id && message.page)?.page ?? page
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

/** Returns the question that a failure leaves unanswered, unless it was asked again already, or is too old to be here. */
export function questionToRetry(messages: readonly Message[], failure: Message): Message | undefined {
  if (failure.kind !== 'failure' || messages.some((message) => message.turn_id === failure.id)) return undefined
  return messages.find((message) => message.direction === 'in' && message.turn_id && message.turn_id === failure.turn_id)
}

/** The conversation after a received message: the newest 200, and the cursor behind the last one. */
export function received(conversation: Conversation, message: Message): Conversation {
  const messages = merged(conversation.messages, [message]).slice(-KEPT_MESSAGES)
  return { messages, cursor: Math.max(conversation.cursor ?? 0, message.seq) }
}
