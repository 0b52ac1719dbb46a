// The conversation on this side of the connection: changed at once, stored later, told to every surface that shows it.
import type { Message, SeqRange, ThreadInfo } from '../protocol.gen'
import { withMessage, withoutRanges, type Conversation } from '../state/conversation'
import { without, type Unsent } from '../state/outbox'
import { EMPTY_STATE, type PanelEvent, type PanelState } from '../state/panel_state'
import { WriteBehind } from '../state/write_behind'

/** Where the conversation outlives this program. */
export interface ConversationStorage {
  outbox: (unsent: Unsent[]) => Promise<void>
  conversation: (conversation: Conversation) => Promise<void>
  temporary: (isTemporary: boolean) => Promise<void>
  threads: (threads: ThreadInfo[] | null) => Promise<void>
}

export class ConversationMemory {
  cursor: number | null = null
  readonly panel: PanelState = { ...EMPTY_STATE }
  readonly #outbox: WriteBehind<Unsent[]>
  readonly #conversation: WriteBehind<Conversation>

  constructor(
    private readonly tell: (event: PanelEvent) => void,
    private readonly storage: ConversationStorage,
  ) {
    this.#outbox = new WriteBehind((unsent) => storage.outbox(unsent))
    this.#conversation = new WriteBehind((conversation) => storage.conversation(conversation))
  }

  show(change: Partial<PanelState>): void {
    Object.assign(this.panel, change)
    this.tell({ type: 'change', change })
  }

  async setTemporary(isTemporary: boolean): Promise<void> {
    this.show({ isTemporary })
    await this.storage.temporary(isTemporary)
  }

  async setThreads(threads: ThreadInfo[] | null, moreThreads = false): Promise<void> {
    this.show({ threads, moreThreads })
    await this.storage.threads(threads)
  }

  /** Resolves when the change is stored. */
  setOutbox(unsent: Unsent[]): Promise<void> {
    this.show({ unsent })
    return this.#outbox.save(unsent)
  }

  /** A temporary question leaves the storage with its answer. */
  async answeredInPassing(turn_id: string, answer: Message): Promise<void> {
    const question = this.panel.unsent.find((entry) => entry.turn_id === turn_id)
    if (!question) return
    const exchange = {
      turn_id,
      question: question.text,
      ...(question.page && { page: question.page }),
      ...(question.attachments && { files: question.attachments }),
      answer,
    }
    this.show({ temporary: [...this.panel.temporary, exchange] })
    await this.setOutbox(without(this.panel.unsent, turn_id))
  }

  /** Resolves when message and cursor are stored: then it may be acknowledged. */
  receive(message: Message): Promise<void> {
    const conversation = withMessage({ messages: this.panel.messages, cursor: this.cursor }, message)
    this.cursor = conversation.cursor
    this.panel.messages = conversation.messages
    this.tell({ type: 'message', message })
    return this.#conversation.save(conversation)
  }

  /** The messages were deleted, here or on another device. */
  remove(ranges: readonly SeqRange[]): Promise<void> {
    const messages = withoutRanges(this.panel.messages, ranges)
    this.panel.messages = messages
    this.tell({ type: 'gone', ranges })
    return this.#conversation.save({ messages, cursor: this.cursor })
  }

  /** The stored messages differ from the server's. The server sends its own next. */
  forgetConversation(): Promise<void> {
    this.cursor = null
    this.show({ messages: [] })
    return this.saveConversation({ messages: [], cursor: null })
  }

  protected saveConversation(conversation: Conversation): Promise<void> {
    return this.#conversation.save(conversation)
  }
}
