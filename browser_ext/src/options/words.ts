// What the options page says of a grant, in one place, so that it can be read and tested without a browser.
import { clockOf } from '../panel/words'
import type { GrantInfo, GrantSet } from '../protocol.gen'

export const CAPABILITIES: Record<GrantInfo['capability'], string> = { read: 'Read pages', act: 'Act on pages' }
export const STATES: Record<GrantInfo['state'], string> = { allowed: 'Allowed', blocked: 'Blocked' }
export const SESSIONS: Record<GrantInfo['session'], string> = { owner: 'With my logins', clean: 'Without my logins' }

/** A grant for once or for one run belongs to a question that the owner answered: it can be revoked, not changed. */
export function isLasting(grant: GrantInfo): boolean {
  return grant.scope === 'always' || grant.scope === 'hour'
}

/** What is sent to the server to have a grant like this one. When it ends is for the server to say. */
export function wish({ host, capability, state, scope, session }: GrantInfo): Omit<GrantSet, 'type'> {
  return { host, capability, state, scope, session }
}

/** How long it holds, such as "for an hour, until 14:05". */
export function lastsOf({ scope, expires_at }: GrantInfo, now: Date): string {
  const name = { once: 'once', run: 'for one task', hour: 'for an hour', always: 'always' }[scope]
  if (expires_at === null) return name
  const isOver = Date.parse(expires_at) <= now.getTime()
  return `${name}, ${isOver ? 'over since' : 'until'} ${timeOf(expires_at, now)}`
}

/** Everything about a grant but its host and state, in one line. */
export function factsOf(grant: GrantInfo, now: Date): string {
  const session = grant.state === 'allowed' && !isLasting(grant) ? [SESSIONS[grant.session].toLowerCase()] : []
  return [CAPABILITIES[grant.capability], lastsOf(grant, now), ...session].join(' · ')
}

/** A name in other letters than ASCII stands here as the machines see it, so that no look-alike can pass for another site. */
export function isPunycode(host: string): boolean {
  return host.split('.').some((label) => label.startsWith('xn--'))
}

export function named(grant: GrantInfo): string {
  return `${grant.host}, ${CAPABILITIES[grant.capability].toLowerCase()}`
}

/** The rows whose host contains what was typed. */
export function found(grants: readonly GrantInfo[], typed: string): GrantInfo[] {
  const part = typed.trim().toLowerCase()
  return grants.filter(({ host }) => host.includes(part))
}

export function countOf(shown: number, all: number): string {
  const sites = all === 1 ? '1 entry' : `${all} entries`
  return shown === all ? sites : `${shown} of ${sites}`
}

/** The text of the file that an export saves. */
export function exported(grants: readonly GrantInfo[], server: string, now: Date): string {
  return `${JSON.stringify({ exported_at: now.toISOString(), server, grants }, null, 2)}\n`
}

export function fileName(now: Date): string {
  return `penny-sites-${now.toISOString().slice(0, 10)}.json`
}

function timeOf(time: string, now: Date): string {
  const date = new Date(time)
  const isToday = date.toDateString() === now.toDateString()
  return isToday ? clockOf(time) : `${date.toLocaleDateString(undefined, { day: 'numeric', month: 'long' })} ${clockOf(time)}`
}
