// What a call stands on while it runs: how it fails, what it is at, and what ends it.
import type { GrantInfo } from '../protocol.gen'

export type FailureCode =
  | 'not_granted'
  | 'tools_off'
  | 'bad_url'
  | 'redirect_not_granted'
  | 'load_failed'
  | 'timeout'
  | 'cancelled'
  | 'empty_page'
  | 'needs_sign_in'
  | 'no_clean_session'
  | 'blocked_by_site'
  | 'no_element'
  | 'internal'

/** `message` is for the owner; with `redirect_not_granted` it is exactly the host that is not granted. */
export class ToolFailure extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
  ) {
    super(message)
  }
}

/** What a call that opens a page is at. */
export type Stage = 'open' | 'load' | 'read' | 'close'

export interface ToolContext {
  signal: AbortSignal
  /** When `signal` aborts at the latest, in milliseconds as of `Date.now()`. */
  endsAt: number
  /** The grants as they are at this moment, and what is never granted, for rules that the browser itself applies. */
  rules: () => readonly GrantInfo[]
  /** Whether a page of this URL may be read, by the grants as they are at this moment. */
  permits: (url: URL) => boolean
  /** Says what the call is at now: what takes too long is named. */
  doing: (stage: Stage) => void
}
