// The state of the background: loaded once, changed at once, stored later, sent to every open panel.
import { withMessage } from '../state/conversation'
import { without } from '../state/outbox'
import { EMPTY_STATE, type PanelEvent, type PanelState } from '../state/panel_state'
import { GrantPages } from '../grants/pages'
import type { GrantInfo, GrantsSync, Message } from '../protocol.gen'
import type { Pairing } from '../server/pairing'
import { forgetStored, stored, type Conversation, type ToolSwitch, type Unsent } from '../state/stored'
import { WriteBehind } from '../state/write_behind'

export class BackgroundState {
  pairing: Pairing | null = null
  toolSwitch: ToolSwitch = stored.toolSwitch.fallback
  cursor: number | null = null
  readonly panel: PanelState = { ...EMPTY_STATE }
  readonly #grantPages = new GrantPages()
  readonly #outbox = new WriteBehind<Unsent[]>((value) => stored.outbox.setValue(value))
  readonly #conversation = new WriteBehind<Conversation>((value) => stored.conversation.setValue(value))

  constructor(private readonly tell: (event: PanelEvent) => void) {}

  get grants(): GrantInfo[] {
    return this.panel.grants
  }

  async load(): Promise<void> {
    const [pairing, grants, toolSwitch, conversation, outbox, isTemporary] = await Promise.all([
      stored.pairing.getValue(),
      stored.grants.getValue(),
      stored.toolSwitch.getValue(),
      stored.conversation.getValue(),
      stored.outbox.getValue(),
      stored.temporary.getValue(),
    ])
    Object.assign(this, { pairing, toolSwitch, cursor: conversation.cursor })
    if (pairing) this.#showPairing(pairing)
    this.show({ grants, messages: conversation.messages, unsent: outbox, toolUse: toolSwitch.on, isTemporary })
  }

  show(change: Partial<PanelState>): void {
    Object.assign(this.panel, change)
    this.tell({ type: 'change', change })
  }

  async pairedWith(pairing: Pairing): Promise<void> {
    await this.forgetServer()
    this.pairing = pairing
    await stored.pairing.setValue(pairing)
    this.#showPairing(pairing)
  }

  /** Unsent messages of the owner stay for the next server. */
  async forgetServer(): Promise<void> {
    Object.assign(this, { pairing: null, cursor: null })
    await Promise.all([
      stored.pairing.setValue(null),
      stored.grants.setValue([]),
      this.setTemporary(false),
      this.#conversation.save(this.#emptyConversation()),
    ])
  }

  /** Drafts and unsent messages go too. */
  async forgetEverything(): Promise<void> {
    await this.forgetServer()
    await this.setOutbox([])
    this.toolSwitch = stored.toolSwitch.fallback
    this.show({ toolUse: this.toolSwitch.on })
    await forgetStored()
  }

  /** The stored messages differ from the server's. The server sends its own next. */
  forgetConversation(): Promise<void> {
    this.cursor = null
    this.show({ messages: [] })
    return this.#conversation.save({ messages: [], cursor: null })
  }

  #emptyConversation(): Conversation {
    this.show({
      pairing: null,
      grants: [],
      messages: [],
      turns: [],
      asks: [],
      unread: 0,
      notice: null,
      temporary: [],
      proposal: null,
    })
    return { messages: [], cursor: null }
  }

  /** The owner may have renamed the device on the server. */
  async relabel(label: string): Promise<void> {
    if (!this.pairing) return
    this.pairing = { ...this.pairing, label }
    this.#showPairing(this.pairing)
    await stored.pairing.setValue(this.pairing)
  }

  #showPairing({ server, label, device_id }: Pairing): void {
    this.show({ pairing: { server, label, device_id } })
  }

  async takeGrants(frame: GrantsSync): Promise<void> {
    const grants = this.#grantPages.take(frame)
    if (grants) await this.setGrants(grants)
  }

  async setGrants(grants: GrantInfo[]): Promise<void> {
    this.show({ grants })
    await stored.grants.setValue(grants)
  }

  async setToolSwitch(toolSwitch: ToolSwitch): Promise<void> {
    this.toolSwitch = toolSwitch
    this.show({ toolUse: toolSwitch.on })
    await stored.toolSwitch.setValue(toolSwitch)
  }

  async setTemporary(isTemporary: boolean): Promise<void> {
    this.show({ isTemporary })
    await stored.temporary.setValue(isTemporary)
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
}
