// What the panel says, in one place, so that it can be read and tested without a browser.
import type { Ask } from '../asks'
import type { ConnectionState, Refusal } from '../server/connection_state'

export interface Status {
  text: string
  tone: 'ok' | 'busy' | 'stop'
  action?: 'reconnect' | 'pair'
}

const REFUSED: Record<Refusal, Status> = {
  impostor: { tone: 'stop', text: 'Something else answers at Penny’s address. Nothing was sent to it.', action: 'reconnect' },
  not_proven: { tone: 'stop', text: 'Penny did not recognise this browser. If that lasts, pair it again.', action: 'pair' },
  revoked: { tone: 'stop', text: 'This browser was removed from Penny.', action: 'pair' },
  replaced: { tone: 'stop', text: 'Penny is connected in another window of this browser.', action: 'reconnect' },
  version: { tone: 'stop', text: 'Penny and this extension are of different versions. Update the older one.', action: 'reconnect' },
}

export function statusOf(connection: ConnectionState, server: string | null, toolUse: boolean): Status {
  switch (connection.name) {
    case 'refused':
      return REFUSED[connection.reason]
    case 'not_paired':
      return { tone: 'stop', text: 'Not paired' }
    case 'starting':
      return { tone: 'busy', text: 'Penny is starting' }
    case 'connecting':
      return { tone: 'busy', text: 'Connecting' }
    case 'reconnecting':
      return { tone: 'busy', text: `Reconnecting to ${addressOf(server)}`, action: 'reconnect' }
    case 'connected':
      return { tone: 'ok', text: toolUse ? 'Connected' : 'Connected, reading pages is off' }
  }
}

export function addressOf(server: string | null): string {
  return server ? new URL(server).host : 'Penny'
}

/** The question in two parts around the host, which is set apart. */
export function questionOf(ask: Extract<Ask, { type: 'grant.ask' }>): [string, string] {
  return ask.capability === 'act' ? ['May Penny act on pages of ', '?'] : ['May Penny read pages on ', '?']
}

export function dayOf(time: string, now: Date): string {
  const date = new Date(time)
  const daysAgo = Math.round((startOfDay(now) - startOfDay(date)) / 86_400_000)
  if (daysAgo === 0) return 'Today'
  if (daysAgo === 1) return 'Yesterday'
  const year = date.getFullYear() === now.getFullYear() ? undefined : 'numeric'
  return date.toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long', year })
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

export function clockOf(time: string): string {
  return new Date(time).toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit' })
}

/** The web hosts among the labels of a message. */
export function sitesOf(origin: readonly string[]): string[] {
  return origin.filter((label) => label.includes('.') || label.includes(':'))
}
