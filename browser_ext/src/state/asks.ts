// Open questions to the owner. The panel shows one at a time: those that expire after a minute before those that last
// days.
import type { ServerFrameOf } from '../server/frames'

export type Ask = ServerFrameOf<'grant.ask' | 'approval.ask'>

/** A repeated ask keeps its place. A new one stands before those that expire later. */
export function withAsk(asks: readonly Ask[], ask: Ask): Ask[] {
  if (asks.some(({ request_id }) => request_id === ask.request_id)) {
    return asks.map((other) => (other.request_id === ask.request_id ? ask : other))
  }
  const longer = asks.findIndex(({ expires_at }) => Date.parse(expires_at) > Date.parse(ask.expires_at))
  return longer < 0 ? [...asks, ask] : [...asks.slice(0, longer), ask, ...asks.slice(longer)]
}

export function withoutAsk(asks: readonly Ask[], request_id: string): Ask[] {
  return asks.filter((ask) => ask.request_id !== request_id)
}

/** An expired ask hides by itself; nothing is stored for that. */
export function openAsks(asks: readonly Ask[], now: number): Ask[] {
  return asks.filter((ask) => Date.parse(ask.expires_at) > now)
}

/** Milliseconds until the first ask expires, or null when none is open. */
export function nextExpiryMs(asks: readonly Ask[], now: number): number | null {
  if (asks.length === 0) return null
  return Math.max(0, Math.min(...asks.map((ask) => Date.parse(ask.expires_at))) - now)
}
