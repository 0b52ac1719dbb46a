import type { RequestFrame } from '../server/frames'
import type { PanelEvent } from '../state/panel_state'
import type { ConversationMemory } from './memory'
import type { PendingRequests } from './pending_requests'

/** What frames and commands of the conversation act on. */
export interface ConversationTarget {
  memory: ConversationMemory
  answers: PendingRequests
  /** `send` returns false without a connection. */
  connection: { send: (frame: RequestFrame) => boolean }
  tell(event: PanelEvent): void
}
