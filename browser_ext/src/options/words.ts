// Texts about a grant, testable without a browser.
import { clockOf } from '../conversation/words'
import type { GrantInfo, GrantSet } from '../protocol.gen'
import { language, say, sayCount, type Key } from '../say'

/** What a site can be asked for. What is kept of it stands in a section of its own. */
export const CAPABILITIES: Record<GrantInfo['capability'], Key> = {
  read: 'capability_read',
  act: 'capability_act',
  keep: 'capability_keep',
}
export const STATES: Record<GrantInfo['state'], Key> = { allowed: 'state_allowed', blocked: 'state_blocked' }
export const SESSIONS: Record<GrantInfo['session'], Key> = { owner: 'session_owner', clean: 'session_clean' }
/** Within a sentence. */
export const LOGINS: Record<GrantInfo['session'], Key> = { owner: 'logins_owner', clean: 'logins_clean' }
const NAMED: Record<GrantInfo['capability'], Key> = {
  read: 'named_read',
  act: 'named_act',
  keep: 'named_keep',
}
const LASTS: Record<GrantInfo['scope'], Key> = {
  once: 'lasts_once',
  run: 'lasts_run',
  hour: 'lasts_hour',
  always: 'lasts_always',
}

/** A grant for once or for one run belongs to an answered question: it can be revoked, not changed. */
export function isLasting(grant: GrantInfo): boolean {
  return grant.scope === 'always' || grant.scope === 'hour'
}

/** The frame fields for a grant like this one. The server sets the end. */
export function wish({ host, capability, state, scope, session }: GrantInfo): Omit<GrantSet, 'type'> {
  return { host, capability, state, scope, session }
}

/** How long it is valid, such as "for an hour, until 14:05". */
export function lastsOf({ scope, expires_at }: GrantInfo, now: Date): string {
  const name = say(LASTS[scope])
  if (expires_at === null) return name
  const isOver = Date.parse(expires_at) <= now.getTime()
  return say(isOver ? 'lasts_over' : 'lasts_until', name, timeOf(expires_at, now))
}

/** Everything about a grant but host and state, in one line. */
export function factsOf(grant: GrantInfo, now: Date): string {
  const session = grant.state === 'allowed' && !isLasting(grant) ? [say(LOGINS[grant.session])] : []
  const usage = grant.state === 'allowed' ? [usedOf(grant, now)] : []
  return [say(CAPABILITIES[grant.capability]), lastsOf(grant, now), ...session, ...usage].join(' · ')
}

/** Last use, such as "last used 14:05". */
export function usedOf({ used_at }: GrantInfo, now: Date): string {
  return used_at ? say('used_last', timeOf(used_at, now)) : say('used_never')
}

/** A host with other letters than ASCII is shown as punycode, so that no look-alike passes for another site. */
export function isPunycode(host: string): boolean {
  return host.split('.').some((label) => label.startsWith('xn--'))
}

export function grantName(grant: GrantInfo): string {
  return say(NAMED[grant.capability], grant.host)
}

export function grantsMatching(grants: readonly GrantInfo[], query: string): GrantInfo[] {
  const part = query.trim().toLowerCase()
  return grants.filter(({ host }) => host.includes(part))
}

export function countOf(count: number, all: number): string {
  const sites = sayCount('entries', all)
  return count === all ? sites : say('entries_of', count, sites)
}

export function exportText(grants: readonly GrantInfo[], server: string, now: Date): string {
  return `${JSON.stringify({ exported_at: now.toISOString(), server, grants }, null, 2)}\n`
}

export function fileName(now: Date): string {
  return `penny-sites-${now.toISOString().slice(0, 10)}.json`
}

function timeOf(time: string, now: Date): string {
  const date = new Date(time)
  const isToday = date.toDateString() === now.toDateString()
  return isToday
    ? clockOf(time)
    : `${date.toLocaleDateString(language(), { day: 'numeric', month: 'long' })} ${clockOf(time)}`
}
