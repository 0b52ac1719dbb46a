// Names for parts of the generated contract, and the limits that a schema cannot express.
import type { ClientFrame, ServerFrame } from '../protocol.gen'

export type ClientFrameOf<Type extends ClientFrame['type']> = Extract<ClientFrame, { type: Type }>
export type ServerFrameOf<Type extends ServerFrame['type']> = Extract<ServerFrame, { type: Type }>
export type RequestFrame = Exclude<ClientFrame, { type: 'auth.hello' | 'auth.proof' }>
export type TurnFrame = ServerFrameOf<'turn.started' | 'turn.delta' | 'turn.status' | 'turn.done' | 'turn.failed'>

export const PROTOCOL = 1
export const FRAME_BYTES = 512 * 1024
export const MESSAGE_CHARACTERS = 32_000

export const CLOSE = {
  malformed: 4400,
  notProven: 4401,
  revoked: 4403,
  replaced: 4409,
  tooLarge: 4413,
  waits: 4423,
  version: 4426,
} as const

const encoder = new TextEncoder()

export function byteLength(text: string): number {
  return encoder.encode(text).length
}

/** Encode a frame without NUL and lone surrogates, which the server refuses. */
export function encodeFrame(frame: ClientFrame): string {
  return JSON.stringify(frame, (_key, value: unknown) => (typeof value === 'string' ? wellFormed(value) : value))
}

/** Return the frame, or null if the text is none. The server is proven; this guards against its bugs. */
export function parseFrame(text: unknown): ServerFrame | null {
  if (typeof text !== 'string') return null
  try {
    const frame: unknown = JSON.parse(text)
    return isFrame(frame) ? frame : null
  } catch {
    return null
  }
}

function isFrame(value: unknown): value is ServerFrame {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function wellFormed(text: string): string {
  return text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD')
}
