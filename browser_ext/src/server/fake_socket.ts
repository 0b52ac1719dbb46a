// A WebSocket without a network, for tests: the test plays the server.
import { parseFrame } from './frames'
import type { ClientFrame, ServerFrame } from '../protocol.gen'

const CONNECTING = 0
const OPEN = 1
export const CLOSED = 3

export class FakeSocket extends EventTarget {
  readyState: number = CONNECTING
  readonly frames: ClientFrame[] = []
  onSent: (frame: ClientFrame) => void = () => undefined

  open(): void {
    this.readyState = OPEN
    this.dispatchEvent(new Event('open'))
  }

  send(text: string): void {
    const frame = JSON.parse(text) as ClientFrame
    this.frames.push(frame)
    this.onSent(frame)
  }

  say(frame: ServerFrame): void {
    if (!parseFrame(JSON.stringify(frame))) throw new Error('not a frame')
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }))
  }

  close(code = 1000): void {
    if (this.readyState === CLOSED) return
    this.readyState = CLOSED
    const event = Object.assign(new Event('close'), { code })
    this.dispatchEvent(event)
  }

  asWebSocket(): WebSocket {
    return this as unknown as WebSocket
  }
}
