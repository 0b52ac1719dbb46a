import type { GrantInfo } from '../protocol.gen'
import { hostOf, isServer } from './hosts'

export type Verdict = GrantInfo['state'] | 'unknown'

/** What a verdict depends on. Penny's own server is never granted, whatever the grants say. */
export interface Asked {
  capability: GrantInfo['capability']
  grants: readonly GrantInfo[]
  server: string
  now: number
}

// The clocks of this machine and the server may differ. The server checks the exact second.
const CLOCK_SKEW_MS = 2 * 60_000

/**
 * The most specific host wins. On one host, blocked beats allowed. Without a grant the verdict is unknown. A site that
 * is blocked for reading is blocked for acting as well.
 */
export function verdict(url: URL, { capability, grants, server, now }: Asked): Verdict {
  if (isServer(url, server)) return 'unknown'
  const closest = closestGrants(url, { capability, grants, now })
  if (closest.some((grant) => grant.state === 'blocked')) return 'blocked'
  return closest.length > 0 ? 'allowed' : 'unknown'
}

/** Whether the grant that decides about the URL allows it without the owner's logins only. */
export function isCleanOnly(url: URL, question: Omit<Asked, 'server'>): boolean {
  return closestGrants(url, question).some((grant) => grant.session === 'clean')
}

/** Return the host of the grants that decide about the URL, or null. */
export function decidingHost(url: URL, question: Omit<Asked, 'server'>): string | null {
  return closestGrants(url, question)[0]?.host ?? null
}

function closestGrants(url: URL, { capability, grants, now }: Omit<Asked, 'server'>): GrantInfo[] {
  const host = hostOf(url)
  const fitting = grants.filter(
    (grant) =>
      (grant.capability === capability || (grant.capability === 'read' && grant.state === 'blocked')) &&
      isCurrent(grant, now) &&
      covers(grant.host, host),
  )
  const longest = Math.max(0, ...fitting.map((grant) => grant.host.length))
  return fitting.filter((grant) => grant.host.length === longest)
}

/** A rule for the browser itself: a grant for a site may cover a Penny server below that site. */
export function serverBlocked(server: string): GrantInfo {
  const host = hostOf(new URL(server))
  return { host, capability: 'read', state: 'blocked', scope: 'always', session: 'owner', expires_at: null }
}

function isCurrent(grant: GrantInfo, now: number): boolean {
  return grant.expires_at === null || Date.parse(grant.expires_at) + CLOCK_SKEW_MS > now
}

/**
 * Whether the pattern is the host or a parent domain. An IP literal and localhost, which carry a port, match only
 * exactly. A single label (`com`, `intranet`) covers only itself, so that no mistake grants a whole top-level domain.
 */
export function covers(pattern: string, host: string): boolean {
  return pattern === host || (pattern.includes('.') && !pattern.includes(':') && host.endsWith(`.${pattern}`))
}
