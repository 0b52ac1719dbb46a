// Texts of the own pages that depend on state, testable without a browser.
import type { Ask } from '../state/asks'
import { language, say, type Key } from '../say'
import type { ConnectionState, Refusal } from '../server/connection_state'

export interface Status {
  text: string
  tone: 'ok' | 'busy' | 'stop'
  action?: 'reconnect' | 'pair'
}

const REFUSED: Record<Refusal, { tone: 'stop'; words: Key; action: 'reconnect' | 'pair' }> = {
  impostor: { tone: 'stop', words: 'refused_impostor', action: 'reconnect' },
  not_proven: { tone: 'stop', words: 'refused_not_proven', action: 'pair' },
  revoked: { tone: 'stop', words: 'refused_revoked', action: 'pair' },
  replaced: { tone: 'stop', words: 'refused_replaced', action: 'reconnect' },
  waits: { tone: 'stop', words: 'refused_waits', action: 'reconnect' },
  version: { tone: 'stop', words: 'refused_version', action: 'reconnect' },
}

export function statusOf(connection: ConnectionState, server: string | null, toolUse: boolean): Status {
  switch (connection.name) {
    case 'refused':
      return statusOfRefusal(connection.reason)
    case 'not_paired':
      return { tone: 'stop', text: say('status_not_paired') }
    case 'starting':
      return { tone: 'busy', text: say('status_starting') }
    case 'connecting':
      return { tone: 'busy', text: say('status_connecting') }
    case 'reconnecting':
      return { tone: 'busy', text: say('status_reconnecting', hostOfServer(server)), action: 'reconnect' }
    case 'connected':
      return { tone: 'ok', text: say(toolUse ? 'status_connected' : 'status_not_reading') }
  }
}

function statusOfRefusal(reason: Refusal): Status {
  const { words, ...status } = REFUSED[reason]
  return { ...status, text: say(words) }
}

export function hostOfServer(server: string | null): string {
  return server ? new URL(server).host : 'Penny'
}

/** The question around the host. The host is set apart. */
export function questionOf(ask: Extract<Ask, { type: 'grant.ask' }>): Key {
  return ask.capability === 'act' ? 'ask_act' : 'ask_read'
}

export function dayOf(time: string, now: Date): string {
  const date = new Date(time)
  const daysAgo = Math.round((startOfDay(now) - startOfDay(date)) / 86_400_000)
  if (daysAgo === 0) return say('today')
  if (daysAgo === 1) return say('yesterday')
  const year = date.getFullYear() === now.getFullYear() ? undefined : 'numeric'
  return date.toLocaleDateString(language(), { weekday: 'long', day: 'numeric', month: 'long', year })
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

export function clockOf(time: string): string {
  return new Date(time).toLocaleTimeString(language(), { hour: 'numeric', minute: '2-digit' })
}

/** The hosts among the origin labels of a message. */
export function sitesOf(origin: readonly string[]): string[] {
  return origin.filter((label) => label.includes('.') || label.includes(':') || label === 'attachment')
}
