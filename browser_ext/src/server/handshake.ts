// The handshake of the wire contract. The server proves itself first, and learns nothing before.
import { fromBase64Url, toBase64Url } from './base64url'
import { PROTOCOL, type ServerFrameOf } from './frames'
import type { Client, ClientFrame, ServerFrame } from '../protocol.gen'
import type { Pairing } from './pairing'
import { isSignedBy, sign } from './identity'

const NONCE_BYTES = 32

/** The server at this address does not hold the key that this device was paired with. */
export class ServerNotProven extends Error {}

export interface Handshake {
  pairing: Pairing
  keys: CryptoKeyPair
  /** The origin of this extension. The server compares it with the Origin header. */
  origin: string
  client: Client
  tools: string[]
  cursor: number | null
}

/** A socket for the handshake: send frames, receive one frame at a time. `receive` rejects when the socket closes. */
export interface Wire {
  send(frame: ClientFrame): void
  receive(): Promise<ServerFrame>
}

/** Return the server's welcome. Throws ServerNotProven, or what `receive` rejects with. */
export async function shakeHands(wire: Wire, own: Handshake): Promise<ServerFrameOf<'welcome'>> {
  const nonce = toBase64Url(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)))
  const { device_id } = own.pairing
  wire.send({ type: 'auth.hello', device_id, nonce, protocol: PROTOCOL, client: own.client })
  const challenge = await wire.receive()
  if (challenge.type !== 'auth.challenge' || !(await isProven(challenge, nonce, own.pairing)))
    throw new ServerNotProven()
  const proof = await sign(own.keys, `penny-device-v1\n${challenge.nonce}\n${device_id}\n${own.origin}`)
  wire.send({ type: 'auth.proof', signature: toBase64Url(proof), tools: own.tools, cursor: own.cursor })
  const welcome = await wire.receive()
  if (welcome.type !== 'welcome') throw new ServerNotProven()
  return welcome
}

async function isProven(challenge: ServerFrameOf<'auth.challenge'>, nonce: string, pairing: Pairing): Promise<boolean> {
  try {
    const key = fromBase64Url(pairing.server_public_key)
    const signature = fromBase64Url(challenge.signature)
    return await isSignedBy(key, signature, `penny-server-v1\n${nonce}\n${pairing.device_id}`)
  } catch {
    return false
  }
}
