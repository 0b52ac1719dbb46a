// The server's side of the handshake, for tests.
import { toBase64Url } from './base64url'
import type { ServerFrameOf } from './frames'
import type { Client, GrantInfo } from '../protocol.gen'
import type { Pairing } from './pairing'
import type { Handshake } from './handshake'
import { newKeys, publicBytes, sign } from './identity'

export const NONCE = toBase64Url(new Uint8Array(32).fill(7))
export const ORIGIN = 'moz-extension://0b2d'
const client: Client = { name: 'penny-extension', version: '1', browser: 'firefox' }

export interface Cast {
  server: CryptoKeyPair
  own: Handshake
}

export async function cast(): Promise<Cast> {
  const [server, keys] = await Promise.all([newKeys(), newKeys()])
  const server_public_key = toBase64Url(await publicBytes(server))
  const pairing: Pairing = {
    server: 'http://127.0.0.1:8787',
    device_id: 'device-1',
    server_public_key,
    label: 'Firefox',
  }
  return { server, own: { pairing, keys, origin: ORIGIN, client, tools: ['browse_url'], cursor: 41 } }
}

/** What a server with this key answers to the client's nonce. */
export async function challenge(keys: CryptoKeyPair, clientNonce: string): Promise<ServerFrameOf<'auth.challenge'>> {
  const signature = toBase64Url(await sign(keys, `penny-server-v1\n${clientNonce}\ndevice-1`))
  return { type: 'auth.challenge', nonce: NONCE, signature }
}

export function welcome(grants: GrantInfo[] = []): ServerFrameOf<'welcome'> {
  const device = { id: 'device-1', label: 'Firefox', tool_use: true, keeping: 'off' as const }
  return { type: 'welcome', device, owner: { name: 'Ada', timezone: 'UTC' }, grants, unread_thoughts: 2, seq: 41 }
}
