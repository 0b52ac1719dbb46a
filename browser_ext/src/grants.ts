import type { GrantInfo } from './protocol.gen'
import { hostOf, isExact } from './hosts'

export type Verdict = GrantInfo['state'] | 'unknown'

// The clocks of this machine and the server's may differ; the server checks the exact second.
const CLOCK_SKEW_MS = 2 * 60_000

/** The most specific host wins; blocked beats allowed on the same host; what nobody granted is unknown. */
export function verdict(url: URL, capability: GrantInfo['capability'], grants: readonly GrantInfo[], now: number): Verdict {
  const host = hostOf(url)
  const fitting = grants.filter(
    (grant) => grant.capability === capability && isCurrent(grant, now) && covers(grant.host, host),
  )
  const longest = Math.max(0, ...fitting.map((grant) => grant.host.length))
  const closest = fitting.filter((grant) => grant.host.length === longest)
  if (closest.some((grant) => grant.state === 'blocked')) return 'blocked'
  return closest.length > 0 ? 'allowed' : 'unknown'
}

function isCurrent(grant: GrantInfo, now: number): boolean {
  return grant.expires_at === null || Date.parse(grant.expires_at) + CLOCK_SKEW_MS > now
}

/** A single label (`com`, `intranet`) covers only itself, so that no mistake can grant a whole top-level name. */
function covers(granted: string, host: string): boolean {
  if (granted === host) return true
  return granted.includes('.') && !isExact(granted) && host.endsWith(`.${granted}`)
}
