// The background as one object: state, connection, tools and panels.
import { byteLength, CLOSE, encodeFrame, FRAME_BYTES, type ServerFrameOf } from '../server/frames'
import { isCleanOnly, serverBlocked, verdict } from '../grants/grants'
import { CONVERSATION_COMMANDS, sendQueued, sendUnanswered } from '../client/commands'
import { PendingRequests } from '../client/pending_requests'
import { withStrikes } from '../state/outbox'
import type { PanelEvent } from '../state/panel_state'
import type { GrantInfo, Misfit, ServerFrame, ToolError, ToolResult } from '../protocol.gen'
import { say } from '../say'
import { Connection } from '../server/connection'
import { isFinal } from '../server/connection_state'
import type { ConnectionState, Refusal } from '../server/refusals'
import type { Handshake } from '../server/handshake'
import { HistoryShare } from '../history/share'
import { loadKeys } from '../server/identity'
import { isStarting } from '../server/readiness'
import { socketUrl } from '../server/address'
import { stored } from '../state/stored'
import { OwnerWatch } from '../tools/acting/owner_watch'
import { ToolCalls } from '../tools/calls'
import { withoutPicture } from '../tools/picture'
import { toolNames } from '../tools/table'
import { thisClient } from './client'
import { InTurn } from '../server/in_turn'
import { AutoKeeper } from '../vault/auto'
import { Vault } from '../vault/vault'
import { Bars } from './bar'
import { BackgroundState } from './state'
import { takeServerFrame } from './server_frames'

export class Penny {
  readonly memory = new BackgroundState((event) => this.tell(event))
  readonly connection = new Connection({
    handshake: () => this.#handshake(),
    openSocket: (server) => new WebSocket(socketUrl(server)),
    isStarting,
    onState: (state) => this.#showConnectionState(state),
    onWelcome: (welcome) => void this.#takeWelcome(welcome),
    onFrame: (frame) => this.#take(frame),
    onLost: (code) => this.#takeDisconnect(code),
  })
  readonly tools = new ToolCalls({
    isOn: () => this.memory.toolSwitch.on,
    permits: (url) => this.permits(url),
    mayAct: (url) => this.permits(url, 'act'),
    isCleanOnly: (url) => isCleanOnly(url, { capability: 'read', grants: this.memory.grants, now: Date.now() }),
    rules: () => this.#rules(),
    answer: (frame) => this.#answer(frame),
  })
  readonly owner = new OwnerWatch(async (errand_id, act) => {
    const outcome = await CONVERSATION_COMMANDS.steer(this, { type: 'steer', errand_id, act })
    return outcome?.ok ?? true
  })
  readonly history = new HistoryShare({
    send: (frame) => this.connection.send(frame),
    server: () => this.memory.pairing?.server ?? null,
    show: (change) => this.memory.show(change),
  })
  readonly vault = new Vault({
    send: (frame) => this.connection.send(frame),
    server: () => this.memory.pairing?.server ?? null,
    show: (change) => this.memory.show(change),
    onNotKeeping: () => void this.keeper.switchOff(),
    onDropped: () => void this.keeper.countDropped(),
  })
  readonly keeper: AutoKeeper = new AutoKeeper({
    send: (frame) => this.connection.send(frame),
    server: () => this.memory.pairing?.server ?? null,
    grants: () => this.memory.grants,
    keep: (tab, capture) => this.vault.take(tab, capture),
    dropWaiting: (isConcerned) => this.vault.dropAuto(isConcerned),
    show: (change) => this.memory.show(change),
  })
  readonly bars = new Bars({
    send: (frame) => this.connection.send(frame),
    isTemporary: () => this.memory.panel.isTemporary,
    server: () => this.memory.pairing?.server ?? null,
    propose: (proposal) => this.memory.show({ proposal }),
  })
  readonly answers = new PendingRequests()
  readonly pictures = new InTurn()
  /** Resolves when the state is loaded. Nothing may be answered before. */
  readonly ready: Promise<void>
  #pending: Promise<void> = Promise.resolve()

  constructor(readonly tellPanels: (event: PanelEvent) => void) {
    this.ready = this.memory.load().then(async () => {
      await Promise.all([this.history.load(), this.vault.load(), this.keeper.load()])
    })
  }

  tell(event: PanelEvent): void {
    this.tellPanels(event)
  }

  /** Called on every wake. A refusal that only the owner can end is stored, because Chrome's worker may die. */
  async wake(): Promise<void> {
    await this.ready
    const refusal = (await stored.refusal.getValue()) as Refusal | null
    if (refusal) this.memory.show({ connection: { name: 'refused', reason: refusal } })
    else this.connection.start()
  }

  async reconnect(): Promise<void> {
    await stored.refusal.setValue(null)
    this.connection.restart()
  }

  /** Called every 20 s: ping the server, and send unanswered messages again. */
  tick(): void {
    this.connection.ping()
    this.history.tick()
    this.keeper.tellMode()
    this.vault.tick()
    sendUnanswered(this)
  }

  async tellToolSwitch(): Promise<void> {
    const { on } = this.memory.toolSwitch
    const isSent = this.connection.send({ type: 'device.update', ref: crypto.randomUUID(), tool_use: on })
    if (isSent) await this.memory.setToolSwitch({ on, unsent: false })
  }

  async #handshake(): Promise<Handshake | null> {
    const keys = await loadKeys()
    const { pairing, cursor } = this.memory
    if (!pairing || !keys) return null
    return { pairing, keys, cursor, origin: location.origin, client: thisClient(), tools: await toolNames() }
  }

  #showConnectionState(state: ConnectionState): void {
    this.memory.show({ connection: state })
    const refusal = state.name === 'refused' && isFinal(state.reason) ? state.reason : null
    void stored.refusal.setValue(refusal)
  }

  async #takeWelcome(welcome: ServerFrameOf<'welcome'>): Promise<void> {
    const { device, grants, unread_thoughts, seq, misfit, has_model: hasModel = true } = welcome
    const notice = misfit ? misfitWords(misfit) : null
    this.memory.show({ unread: unread_thoughts, hasModel, look: null, turns: [], asks: [], errands: [], notice })
    // a backup was restored: the server sends its messages next
    if (seq < (this.memory.cursor ?? 0)) void this.memory.forgetConversation()
    sendQueued(this)
    this.history.tellSwitch()
    await this.memory.setGrants(grants)
    await this.keeper.agree(device.keeping)
    this.vault.tick()
    await this.#agreeOnToolSwitch(device.tool_use)
    if (this.memory.pairing && device.label !== this.memory.pairing.label) await this.memory.relabel(device.label)
  }

  /** "Off" in this browser always holds. "Off" on the server holds unless the owner just switched it on here. */
  async #agreeOnToolSwitch(serverIsOn: boolean): Promise<void> {
    const { on, unsent } = this.memory.toolSwitch
    if (on === serverIsOn) return
    if (unsent || !on) return this.tellToolSwitch()
    await this.memory.setToolSwitch({ on: false, unsent: false })
  }

  /** Handle frames one after the other, so that messages are stored in order. A tool call only starts here. */
  #take(frame: ServerFrame): void {
    this.#pending = this.#pending
      .then(() => takeServerFrame(this, frame))
      .catch((failure: unknown) => console.error('Penny: a frame could not be taken', frame.type, failure))
  }

  /** Close the connection. Resolves when every received frame is stored. */
  async disconnect(): Promise<void> {
    this.connection.stop()
    this.tools.abortAll('cancelled')
    await this.#pending
  }

  #takeDisconnect(code: number): void {
    this.tools.abortAll('cancelled')
    this.answers.lose()
    this.history.lose()
    this.vault.lose()
    this.bars.lose()
    this.memory.show({ turns: [], asks: [], errands: [] })
    const isPoison = code === CLOSE.malformed || code === CLOSE.tooLarge
    if (!isPoison) return
    void this.memory.setThreads(null) // an older server knows none
    void this.memory.setOutbox(withStrikes(this.memory.panel.unsent))
  }

  permits(url: URL, capability: GrantInfo['capability'] = 'read'): boolean {
    const { pairing, grants } = this.memory
    if (!pairing) return false
    return verdict(url, { capability, grants, server: pairing.server, now: Date.now() }) === 'allowed'
  }

  #rules(): GrantInfo[] {
    const { pairing, grants } = this.memory
    return pairing ? [...grants, serverBlocked(pairing.server)] : []
  }

  #answer(frame: ToolResult): void {
    const fitting = [frame, withoutPicture(frame)].find((answer) => sizeOf(answer) <= FRAME_BYTES)
    this.connection.send(fitting ?? { type: 'tool.result', call_id: frame.call_id, error: tooLarge(sizeOf(frame)) })
  }
}

function misfitWords({ extension, version }: Misfit): string {
  return say(extension === 'older' ? 'misfit_older' : 'misfit_newer', thisClient().version, version)
}

function sizeOf(frame: ToolResult): number {
  return byteLength(encodeFrame(frame))
}

function tooLarge(size: number): ToolError {
  console.error('Penny: a result of', size, 'bytes was not sent')
  return { code: 'internal', message: 'The result is larger than a frame may be.' }
}
