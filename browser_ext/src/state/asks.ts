// The questions that wait for the owner; the panel shows one at a time. What is asked for a minute comes before what is asked for days.
import type { ServerFrameOf } from '../server/frames'

export type Ask = ServerFrameOf<'grant.ask' | 'approval.ask'>

/** One that is said again, since it waits longer now, keeps its place. A new one comes before those that wait for longer. */
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

/** An ask that nobody answered hides by itself; that stores nothing. */
export function openAsks(asks: readonly Ask[], now: number): Ask[] {
  return asks.filter((ask) => Date.parse(ask.expires_at) > now)
}

/** Milliseconds until the first ask expires, or null when none waits. */
export function nextExpiryMs(asks: readonly Ask[], now: number): number | null {
  if (asks.length === 0) return null
  return Math.max(0, Math.min(...asks.map((ask) => Date.parse(ask.expires_at))) - now)
}
