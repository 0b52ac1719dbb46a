import { ServerNotProven } from './handshake'
import { refusalOfCode, type Refusal } from './refusals'
import { SocketClosed } from './wire'

/** Return why the server, or this extension, refused. Null if the attempt merely failed. */
export function refusalOf(failure: unknown): Refusal | null {
  if (failure instanceof ServerNotProven) return 'impostor'
  return failure instanceof SocketClosed ? refusalOfCode(failure.code) : null
}

/**
 * After `revoked` and `replaced` only the owner starts another attempt. The other refusals can end by themselves (a
 * busy server, an update, the real server back on its port, this browser switched on after a restore), so they are
 * retried slowly.
 */
export function isFinal(reason: Refusal): boolean {
  return reason === 'revoked' || reason === 'replaced'
}
