// The state of the background: loaded once, changed at once, stored later, sent to every open panel.
import { ConversationMemory } from '../client/memory'
import { GrantPages } from '../grants/pages'
import type { GrantInfo, GrantsSync } from '../protocol.gen'
import type { Pairing } from '../server/pairing'
import type { Conversation } from '../state/conversation'
import type { PanelEvent } from '../state/panel_state'
import { openWhenRemoved } from '../server/left_page'
import { forgetStored, stored, type ToolSwitch } from '../state/stored'

export class BackgroundState extends ConversationMemory {
  pairing: Pairing | null = null
  toolSwitch: ToolSwitch = stored.toolSwitch.fallback
  readonly #grantPages = new GrantPages()

  constructor(tell: (event: PanelEvent) => void) {
    super(tell, {
      outbox: (unsent) => stored.outbox.setValue(unsent),
      conversation: (conversation) => stored.conversation.setValue(conversation),
      temporary: (isTemporary) => stored.temporary.setValue(isTemporary),
      threads: (threads) => stored.threads.setValue(threads),
    })
  }

  get grants(): GrantInfo[] {
    return this.panel.grants
  }

  async load(): Promise<void> {
    const [pairing, grants, toolSwitch, conversation, outbox, isTemporary, threads] = await Promise.all([
      stored.pairing.getValue(),
      stored.grants.getValue(),
      stored.toolSwitch.getValue(),
      stored.conversation.getValue(),
      stored.outbox.getValue(),
      stored.temporary.getValue(),
      stored.threads.getValue(),
    ])
    Object.assign(this, { pairing, toolSwitch, cursor: conversation.cursor })
    void openWhenRemoved(pairing)
    if (pairing) this.#showPairing(pairing)
    this.show({ grants, messages: conversation.messages, unsent: outbox, toolUse: toolSwitch.on, isTemporary, threads })
  }

  async pairedWith(pairing: Pairing): Promise<void> {
    await this.forgetServer()
    this.pairing = pairing
    await stored.pairing.setValue(pairing)
    await openWhenRemoved(pairing)
    this.#showPairing(pairing)
  }

  /** Unsent messages of the owner stay for the next server. */
  async forgetServer(): Promise<void> {
    Object.assign(this, { pairing: null, cursor: null })
    await Promise.all([
      openWhenRemoved(null),
      stored.pairing.setValue(null),
      stored.grants.setValue([]),
      stored.view.removeValue(),
      stored.readTo.removeValue(),
      this.setThreads(null),
      this.setTemporary(false),
      this.saveConversation(this.#emptyConversation()),
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

  #emptyConversation(): Conversation {
    this.show({
      pairing: null,
      grants: [],
      messages: [],
      turns: [],
      asks: [],
      errands: [],
      unread: 0,
      look: null,
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
}
