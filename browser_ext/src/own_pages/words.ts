// Texts of the own pages that depend on state, testable without a browser.
import { say, type Key } from '../say'
import type { ConnectionState, Refusal } from '../server/refusals'

export interface Status {
  text: string
  tone: 'ok' | 'busy' | 'stop'
  action?: 'reconnect' | 'pair'
  /** The page of Penny's where the owner can end this. */
  page?: string
}

const REFUSED: Record<Refusal, { tone: 'stop'; words: Key; action: 'reconnect' | 'pair'; page?: string }> = {
  impostor: { tone: 'stop', words: 'refused_impostor', action: 'reconnect' },
  not_proven: { tone: 'stop', words: 'refused_not_proven', action: 'pair' },
  revoked: { tone: 'stop', words: 'refused_revoked', action: 'pair' },
  replaced: { tone: 'stop', words: 'refused_replaced', action: 'reconnect' },
  waits: { tone: 'stop', words: 'refused_waits', action: 'reconnect', page: '/setup/restored/' },
  version: { tone: 'stop', words: 'refused_version', action: 'reconnect', page: '/setup/#browsers' },
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
      return { tone: 'busy', text: say('status_connecting'), action: 'reconnect' }
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
