// The chat page as the host of the conversation. What the background is to the sidebar, this is to the page.
import { showCounts } from '../../../penny_site/static/penny/live_counts.js'
import { CONVERSATION_COMMANDS, refusal, runCommand, sendQueued, sendUnanswered } from '../client/commands'
import { CONVERSATION_FRAMES, handleFrame, type FrameTable } from '../client/frames'
import { ConversationMemory } from '../client/memory'
import { PendingRequests } from '../client/pending_requests'
import type { ConversationTarget } from '../client/target'
import type { Host } from '../conversation/host'
import type { Attachment, Message, ServerFrame } from '../protocol.gen'
import { say } from '../say'
import { CLOSE, type ServerFrameOf } from '../server/frames'
import { withStrikes } from '../state/outbox'
import type { ConversationCommand, Outcome, PanelEvent } from '../state/panel_state'
import { siteAddress, type PageData } from './page_data'
import { WebSocketLink } from './socket'
import { localItem, readOutbox, writeOutbox } from './storage'
import { viewOfAddress } from './view_address'

const RESEND_MS = 15_000

export class WebChat implements ConversationTarget, Host {
  readonly answers = new PendingRequests()
  readonly connection: WebSocketLink
  readonly memory: ConversationMemory
  readonly drafts: Host['drafts'] = {
    text: localItem('penny.draft.text', ''),
    aside: localItem('penny.draft.aside', ''),
    files: localItem<Attachment[]>('penny.draft.files', []),
    quoted: localItem<Message | null>('penny.draft.quoted', null),
  }
  readonly view: Host['view']
  readonly readTo = localItem<Record<string, number>>('penny.read_to', {})
  /** The policy of the page lets it show only what Penny serves. */
  readonly embedsData = false
  readonly #site = siteAddress()
  #listener: (event: PanelEvent) => void = () => undefined
  #pending: Promise<void> = Promise.resolve()

  constructor({ messages, device, threads, cursor, thread }: PageData) {
    // The server renders the messages into the page, and nothing of a temporary chat outlives the page.
    this.memory = new ConversationMemory((event) => this.tell(event), {
      outbox: writeOutbox,
      conversation: async () => undefined,
      temporary: async () => undefined,
      threads: async () => undefined,
    })
    const pairing = { server: this.#site, label: device.label, device_id: device.id }
    Object.assign(this.memory.panel, { pairing, messages, threads, unsent: readOutbox() })
    this.memory.cursor = cursor || null
    this.view = viewOfAddress(thread)
    this.connection = new WebSocketLink({
      site: this.#site,
      cursor: () => this.memory.cursor,
      onFrame: (frame) => this.#take(frame),
      onState: (connection) => this.memory.show({ connection }),
      onLost: (code) => this.#takeDisconnect(code),
    })
  }

  start(): void {
    this.connection.start()
    setInterval(() => sendUnanswered(this), RESEND_MS)
  }

  tell(event: PanelEvent): void {
    this.#listener(event)
  }

  listen = (listener: (event: PanelEvent) => void): (() => void) => {
    this.#listener = listener
    listener({ type: 'state', state: this.memory.panel })
    return () => void (this.#listener = () => undefined)
  }

  send = async (command: ConversationCommand): Promise<Outcome> => {
    try {
      if (command.type === 'reconnect') return this.#reconnect()
      if (command.type === 'picture') return await this.#picture(command.address)
      return await runCommand(CONVERSATION_COMMANDS, this, command)
    } catch (failure) {
      console.error('Penny: the command failed', command.type, failure)
      return refusal(say('did_not_work'))
    }
  }

  #reconnect(): Outcome {
    this.connection.retry()
    return { ok: true }
  }

  /** The page itself loads what Penny serves; here it is seen whether she has it yet. */
  async #picture(address: string): Promise<Outcome> {
    const image = new Image()
    image.src = address.startsWith(`${this.#site}/`) ? address : ''
    try {
      await image.decode()
      return { ok: true, image: image.src }
    } catch {
      return refusal(say('no_picture'))
    }
  }

  /** Handle frames one after the other, so that messages come in order. */
  #take(frame: ServerFrame): void {
    this.#pending = this.#pending
      .then(() => handleFrame(FRAMES, this, frame))
      .catch((failure: unknown) => console.error('Penny: a frame could not be taken', frame.type, failure))
  }

  welcome({ unread_thoughts, seq }: ServerFrameOf<'welcome'>): void {
    this.memory.show({ unread: unread_thoughts, turns: [], asks: [], errands: [], notice: null })
    // a backup was restored: the server sends its messages next
    if (seq < (this.memory.cursor ?? 0)) void this.memory.forgetConversation()
    sendQueued(this)
  }

  #takeDisconnect(code: number): void {
    this.answers.lose()
    this.memory.show({ turns: [], asks: [], errands: [] })
    const isPoison = code === CLOSE.malformed || code === CLOSE.tooLarge
    if (isPoison) void this.memory.setOutbox(withStrikes(this.memory.panel.unsent))
  }
}

const ignore = () => undefined

const FRAMES: Partial<FrameTable<WebChat, ServerFrame['type']>> = {
  ...CONVERSATION_FRAMES,
  welcome: (chat, frame) => chat.welcome(frame),
  pong: ignore,
  'grants.sync': ignore,
  'counts.changed': (_, frame) => showCounts(frame),
}
