// One WebSocket as a stream of frames: received one by one during the handshake, passed to a listener afterwards.
import { encodeFrame, parseFrame } from './frames'
import type { ClientFrame, ServerFrame } from '../protocol.gen'
import type { Wire } from './handshake'

/** WebSocket.OPEN, which Node lacks. */
const OPEN = 1
/** The code that WebSocket reports without a close frame. */
const ABANDONED = 1006

export class SocketClosed extends Error {
  constructor(readonly code: number) {
    super(`the socket closed with ${code}`)
  }
}

interface Waiting {
  resolve(frame: ServerFrame): void
  reject(reason: Error): void
}

export class SocketWire implements Wire {
  #queue: ServerFrame[] = []
  #waiting: Waiting | null = null
  #listener: ((frame: ServerFrame) => void) | null = null
  #closure: SocketClosed | null = null
  #resolveClosed: (code: number) => void = () => undefined
  readonly closeCode: Promise<number>

  constructor(readonly socket: WebSocket) {
    socket.addEventListener('message', (event) => this.#take(event.data))
    this.closeCode = new Promise((resolve) => (this.#resolveClosed = resolve))
    socket.addEventListener('close', (event) => this.#end(event.code))
  }

  /** Rejects with SocketClosed when the socket closes before it opened. */
  waitForOpen(): Promise<void> {
    if (this.socket.readyState === OPEN) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.socket.addEventListener('open', () => resolve())
      void this.closeCode.then((code) => reject(new SocketClosed(code)))
    })
  }

  send(frame: ClientFrame): void {
    if (this.socket.readyState === OPEN) this.socket.send(encodeFrame(frame))
  }

  receive(): Promise<ServerFrame> {
    const next = this.#queue.shift()
    if (next) return Promise.resolve(next)
    if (this.#closure) return Promise.reject(this.#closure)
    return new Promise((resolve, reject) => (this.#waiting = { resolve, reject }))
  }

  /** Pass every queued and future frame to `listener`. */
  listen(listener: (frame: ServerFrame) => void): void {
    this.#listener = listener
    this.#queue.splice(0).forEach(listener)
  }

  /** Close without waiting for the other side, which may be gone. */
  abandon(): void {
    this.#end(ABANDONED)
    this.socket.close(1000)
  }

  #end(code: number): void {
    if (this.#closure) return
    this.#closure = new SocketClosed(code)
    this.#waiting?.reject(this.#closure)
    this.#resolveClosed(code)
  }

  #take(data: unknown): void {
    if (this.#closure) return
    const frame = parseFrame(data)
    if (!frame) console.warn('Penny: the server sent something that is not a frame')
    else if (this.#listener) this.#listener(frame)
    else if (this.#waiting) this.#hand(frame)
    else this.#queue.push(frame)
  }

  #hand(frame: ServerFrame): void {
    const waiting = this.#waiting
    this.#waiting = null
    waiting?.resolve(frame)
  }
}
