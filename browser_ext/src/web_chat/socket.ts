// The socket of the chat page, /ws/web, which opens again by itself. The session's cookie proves who asks.
import { backoffMs } from '../server/backoff'
import { refusalOfCode, type ConnectionState } from '../server/refusals'
import { CLOSE, encodeFrame, parseFrame, type RequestFrame } from '../server/frames'
import type { ServerFrame } from '../protocol.gen'

const PING_MS = 20_000
const SILENT_MS = 45_000
/** A refused upgrade looks like a broken connection. */
const ABNORMAL = 1006

interface Parts {
  /** Where Penny is, with http or https. */
  site: string
  /** `seq` of the newest message of this page. */
  cursor: () => number | null
  onFrame: (frame: ServerFrame) => void
  onState: (state: ConnectionState) => void
  onLost: (code: number) => void
}

export class WebSocketLink {
  #socket: WebSocket | null = null
  #attempt = 0
  #isReady = false
  #lastFrameAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly parts: Parts) {}

  start(): void {
    addEventListener('online', () => this.retry())
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.retry()
    })
    setInterval(() => this.#checkAlive(), PING_MS)
    this.#open()
  }

  /** Send a frame; return false without a connection. */
  send(frame: RequestFrame): boolean {
    if (!this.#isReady) return false
    this.#socket?.send(encodeFrame(frame))
    return true
  }

  /** Stop waiting and try now. */
  retry(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#open()
  }

  #open(): void {
    this.#timer = undefined
    this.parts.onState({ name: this.#attempt > 0 ? 'reconnecting' : 'connecting' })
    const socket = new WebSocket(this.#address())
    this.#socket = socket
    this.#lastFrameAt = Date.now()
    socket.addEventListener('message', (event) => this.#receive(event.data))
    socket.addEventListener('close', (event) => {
      if (socket === this.#socket) void this.#handleClose(event.code)
    })
  }

  #address(): URL {
    const address = new URL(`${this.parts.site}/ws/web`)
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
    const cursor = this.parts.cursor()
    if (cursor) address.searchParams.set('cursor', String(cursor))
    return address
  }

  #receive(data: unknown): void {
    this.#lastFrameAt = Date.now()
    const frame = parseFrame(data)
    if (!frame) return
    if (frame.type === 'welcome') {
      this.#isReady = true
      this.#attempt = 0
      this.parts.onState({ name: 'connected' })
    }
    this.parts.onFrame(frame)
  }

  async #handleClose(code: number): Promise<void> {
    this.#isReady = false
    this.parts.onLost(code)
    const isSignedOut = code === ABNORMAL && (await isSessionOver(this.parts.site))
    const reason = refusalOfCode(isSignedOut ? CLOSE.notProven : code)
    this.parts.onState(reason ? { name: 'refused', reason } : { name: 'reconnecting' })
    if (!reason) this.#timer = setTimeout(() => this.#open(), backoffMs(this.#attempt++))
  }

  /** A socket whose other end vanished stays open for minutes; the ping finds out. */
  #checkAlive(): void {
    if (!this.#isReady) return
    if (Date.now() - this.#lastFrameAt > SILENT_MS) this.#socket?.close()
    else this.send({ type: 'ping' })
  }
}

/** Ask a page that needs a session. */
async function isSessionOver(site: string): Promise<boolean> {
  try {
    return (await fetch(`${site}/thoughts/count/`, { redirect: 'manual' })).type === 'opaqueredirect'
  } catch {
    return false
  }
}
