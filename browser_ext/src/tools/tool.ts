// What every browser tool is: typed arguments in, a typed result or a ToolFailure out, and a signal that ends it at any time.
import type { GrantInfo, ToolResult } from '../protocol.gen'

/** What any of the tools may return. */
export type ToolOutcome = NonNullable<ToolResult['result']>

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
  rules(): readonly GrantInfo[]
  /** Whether a page of this URL may be read, by the grants as they are at this moment. */
  permits(url: URL): boolean
  /** Says what the call is at now: what takes too long is named. */
  doing(stage: Stage): void
}

export type Tool<Result> = (given: unknown, context: ToolContext) => Promise<Result>

/** Ties a tool to the check of its arguments: the server is proven, but it may be of another version. */
export function tool<Arguments, Result>(
  accepts: (given: unknown) => given is Arguments,
  run: (given: Arguments, context: ToolContext) => Promise<Result>,
): Tool<Result> {
  return async (given, context) => {
    if (!accepts(given)) throw new ToolFailure('internal', 'The arguments are not those of this tool.')
    return run(given, context)
  }
}

/** Whether `given` is an object with texts under all these names. */
export function hasTexts<Name extends string>(given: unknown, ...names: Name[]): given is Record<Name, string> {
  if (typeof given !== 'object' || given === null) return false
  const fields = new Map<string, unknown>(Object.entries(given))
  return names.every((name) => typeof fields.get(name) === 'string')
}
