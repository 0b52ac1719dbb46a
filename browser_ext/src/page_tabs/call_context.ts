// What a running call has: its failures, its stage, and the signal that ends it.
import type { GrantInfo, ToolError } from '../protocol.gen'

export type FailureCode = ToolError['code']

/** `message` is for the owner. With `redirect_not_granted` it is exactly the host without a grant. */
export class ToolFailure extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
  ) {
    super(message)
  }
}

export type Stage = 'open' | 'load' | 'read' | 'close'

export interface ToolContext {
  signal: AbortSignal
  /** When `signal` aborts at the latest, in milliseconds as of `Date.now()`. */
  endsAt: number
  /** The present grants and the hosts that are never granted, for rules of the browser itself. */
  rules: () => readonly GrantInfo[]
  /** Whether the present grants permit reading this URL. */
  permits: (url: URL) => boolean
  /** Whether the present grants permit acting on this URL. */
  mayAct: (url: URL) => boolean
  /** Whether the present grants permit reading this URL without the owner's logins only. */
  isCleanOnly: (url: URL) => boolean
  /** Report the stage of the call, so that a timeout can name it. */
  doing: (stage: Stage) => void
  /** Whether a page is opened for a list that may grow while it is scrolled. */
  isForList?: boolean
}
