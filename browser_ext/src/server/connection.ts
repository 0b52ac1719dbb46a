// The only connection to the server: one attempt at a time, while this browser is paired.
import { abortable, deadline, delay } from '../abortable'
import type { ServerFrameOf } from './frames'
import type { ClientFrame, ServerFrame } from '../protocol.gen'
import { backoffMs } from './backoff'
import { isFinal, refusalOf } from './connection_state'
import type { ConnectionState, Refusal } from './refusals'
import { shakeHands, type Handshake } from './handshake'
import { SocketClosed, SocketWire } from './wire'

const HANDSHAKE_MS = 15_000
const SLOW_RETRY_MS = 30_000
const STARTING_RETRY_MS = 1_000
/** After a connection of this length the next attempt follows at once. */
const GOOD_MS = 5_000
/** Longer than two pings: a socket that is silent for so long is dead (sleep, a pulled cable). */
const SILENCE_MS = 50_000

export interface ConnectionHost {
  /** Read for every attempt. Null if this browser is not paired. */
  handshake(): Promise<Handshake | null>
  openSocket(server: string): WebSocket
  /** True if the server answers over HTTP that it is not ready. */
  isStarting(server: string): Promise<boolean>
  onState(state: ConnectionState): void
  onWelcome(welcome: ServerFrameOf<'welcome'>): void
  onFrame(frame: ServerFrame): void
  /** Called exactly once after `onWelcome`. */
  onLost(code: number): void
}

export class Connection {
  #loop: AbortController | null = null
  #wire: SocketWire | null = null
  #heardAt = 0
  #state: ConnectionState = { name: 'connecting' }

  constructor(private readonly host: ConnectionHost) {}

  get state(): ConnectionState {
    return this.#state
  }

  /** Can be called at any time: does nothing while a loop runs. */
  start(): void {
    if (this.#loop) return
    const loop = new AbortController()
    this.#loop = loop
    void this.#run(loop.signal).finally(() => {
      if (this.#loop === loop) this.#loop = null
    })
  }

  stop(): void {
    this.#loop?.abort(new Error('stopped'))
    this.#loop = null
  }

  /** The owner wants an attempt now, whatever the state. */
  restart(): void {
    this.stop()
    this.start()
  }

  /** Return whether the frame was sent: not without a connection. */
  send(frame: ClientFrame): boolean {
    if (!this.#wire) return false
    this.#wire.send(frame)
    return true
  }

  /** Keep Chrome's worker alive, and drop a socket that only seems open. */
  ping(): void {
    if (!this.#wire) return
    if (Date.now() - this.#heardAt > SILENCE_MS) this.#wire.abandon()
    else this.#wire.send({ type: 'ping' })
  }

  async #run(signal: AbortSignal): Promise<void> {
    let attempt = 0
    this.#enter({ name: 'connecting' })
    while (!signal.aborted) {
      const own = await this.#own(signal)
      if (signal.aborted) return
      if (!own) {
        this.#enter({ name: 'not_paired' })
        return
      }
      const startedAt = Date.now()
      const failure = await this.#attempt(own, signal).catch((reason: unknown) => reason)
      if (signal.aborted) return
      attempt = this.#state.name === 'connected' && Date.now() - startedAt > GOOD_MS ? 0 : attempt + 1
      const pause = await this.#afterFailure(failure, own.pairing.server, attempt, signal)
      if (pause === null) return
      await delay(pause, signal).catch(() => undefined)
    }
  }

  /** Read the storage again if it fails: nothing else would restart this loop. */
  async #own(signal: AbortSignal): Promise<Handshake | null> {
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        return await this.host.handshake()
      } catch (reason) {
        console.error('Penny: the pairing could not be read', reason)
        await delay(backoffMs(attempt), signal).catch(() => undefined)
      }
    }
    return null
  }

  /** Rejects when the handshake fails. Resolves with the reason why the connection ended. */
  async #attempt(own: Handshake, signal: AbortSignal): Promise<SocketClosed> {
    const wire = new SocketWire(this.host.openSocket(own.pairing.server))
    const abandon = () => wire.abandon()
    signal.addEventListener('abort', abandon, { once: true })
    try {
      this.#welcome(wire, await this.#handshake(wire, own, signal))
      const code = await wire.closeCode
      this.#wire = null
      this.host.onLost(code)
      return new SocketClosed(code)
    } finally {
      signal.removeEventListener('abort', abandon)
      wire.abandon()
    }
  }

  async #handshake(wire: SocketWire, own: Handshake, signal: AbortSignal): Promise<ServerFrameOf<'welcome'>> {
    const limit = deadline(HANDSHAKE_MS, () => new Error('the server did not answer in time'))
    const either = AbortSignal.any([limit.signal, signal])
    const hands = wire.waitForOpen().then(() => shakeHands(wire, own))
    return abortable(hands, either).finally(limit.stop)
  }

  #welcome(wire: SocketWire, welcome: ServerFrameOf<'welcome'>): void {
    this.#wire = wire
    this.#heardAt = Date.now()
    this.#enter({ name: 'connected' })
    this.host.onWelcome(welcome)
    wire.listen((frame) => {
      this.#heardAt = Date.now()
      this.host.onFrame(frame)
    })
  }

  /** Return the wait before the next attempt in milliseconds, or null for no further attempt. */
  async #afterFailure(failure: unknown, server: string, attempt: number, signal: AbortSignal): Promise<number | null> {
    const reason = refusalOf(failure)
    if (reason) return this.#enterRefusal(reason)
    const isStarting = await this.host.isStarting(server)
    if (signal.aborted) return null
    this.#enter({ name: isStarting ? 'starting' : 'reconnecting' })
    return isStarting ? STARTING_RETRY_MS : backoffMs(attempt)
  }

  #enterRefusal(reason: Refusal): number | null {
    this.#enter({ name: 'refused', reason })
    return isFinal(reason) ? null : SLOW_RETRY_MS
  }

  #enter(state: ConnectionState): void {
    this.#state = state
    this.host.onState(state)
  }
}
