import { CLOSE } from './frames'
import { ServerNotProven } from './handshake'
import { SocketClosed } from './wire'

export type Refusal = 'impostor' | 'not_proven' | 'revoked' | 'replaced' | 'waits' | 'version'
export type ConnectionState =
  | { name: 'not_paired' | 'starting' | 'connecting' | 'connected' | 'reconnecting' }
  | { name: 'refused'; reason: Refusal }

const REFUSALS: Record<number, Refusal> = {
  [CLOSE.notProven]: 'not_proven',
  [CLOSE.revoked]: 'revoked',
  [CLOSE.replaced]: 'replaced',
  [CLOSE.waits]: 'waits',
  [CLOSE.version]: 'version',
}

/** Return why the server, or this extension, refused. Null if the attempt merely failed. */
export function refusalOf(failure: unknown): Refusal | null {
  if (failure instanceof ServerNotProven) return 'impostor'
  return failure instanceof SocketClosed ? (REFUSALS[failure.code] ?? null) : null
}

/**
 * After `revoked` and `replaced` only the owner starts another attempt. The other refusals can end by themselves (a
 * busy server, an update, the real server back on its port, this browser switched on after a restore), so they are
 * retried slowly.
 */
export function isFinal(reason: Refusal): boolean {
  return reason === 'revoked' || reason === 'replaced'
}
