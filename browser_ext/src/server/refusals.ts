// Why a server refuses a connection, by the code with which it closes the socket.
import { CLOSE } from './frames'

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

export function refusalOfCode(code: number): Refusal | null {
  return REFUSALS[code] ?? null
}
