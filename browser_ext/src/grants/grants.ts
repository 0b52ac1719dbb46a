import type { GrantInfo } from '../protocol.gen'
import { hostOf, isServer } from './hosts'

export type Verdict = GrantInfo['state'] | 'unknown'

/** Of whom and when a verdict is asked: Penny's own server is never granted, whatever the grants say. */
export interface Asked {
  capability: GrantInfo['capability']
  grants: readonly GrantInfo[]
  server: string
  now: number
}

// The clocks of this machine and the server's may differ; the server checks the exact second.
const CLOCK_SKEW_MS = 2 * 60_000

/** The most specific host wins; blocked beats allowed on the same host; what nobody granted is unknown. */
export function verdict(url: URL, { capability, grants, server, now }: Asked): Verdict {
  if (isServer(url, server)) return 'unknown'
  const host = hostOf(url)
  const fitting = grants.filter(
    (grant) => grant.capability === capability && isCurrent(grant, now) && covers(grant.host, host),
  )
  const longest = Math.max(0, ...fitting.map((grant) => grant.host.length))
  const closest = fitting.filter((grant) => grant.host.length === longest)
  if (closest.some((grant) => grant.state === 'blocked')) return 'blocked'
  return closest.length > 0 ? 'allowed' : 'unknown'
}

/** What the browser's own rules have to know beside the grants: a grant for a site may cover a server that lives below it. */
export function serverBlocked(server: string): GrantInfo {
  const host = hostOf(new URL(server))
  return { host, capability: 'read', state: 'blocked', scope: 'always', session: 'owner', expires_at: null }
}

function isCurrent(grant: GrantInfo, now: number): boolean {
  return grant.expires_at === null || Date.parse(grant.expires_at) + CLOCK_SKEW_MS > now
}

/**
 * Itself or a subdomain; an IP literal and localhost, which have a port, only exactly. A single label (`com`, `intranet`) covers
 * only itself, so that no mistake can grant a whole top-level name.
 */
function covers(pattern: string, host: string): boolean {
  return pattern === host || (pattern.includes('.') && !pattern.includes(':') && host.endsWith(`.${pattern}`))
}
