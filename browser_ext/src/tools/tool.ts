// A browser tool: typed arguments in, a typed result or a ToolFailure out, and a signal that can end it at any time.
import { ToolFailure, type ToolContext } from '../page_tabs/call_context'
import type { BrowseUrlArguments, ToolResult } from '../protocol.gen'

export type ToolOutcome = NonNullable<ToolResult['result']>

export type Tool<Result> = (value: unknown, context: ToolContext) => Promise<Result>

/** Combine a tool with the check of its arguments: the proven server may be of another version. */
export function tool<Arguments, Result>(
  accepts: (value: unknown) => value is Arguments,
  run: (parameters: Arguments, context: ToolContext) => Promise<Result>,
): Tool<Result> {
  return async (value, context) => {
    if (!accepts(value)) throw new ToolFailure('internal', 'The arguments are not those of this tool.')
    return run(value, context)
  }
}

/** Whether `value` is an object with strings under all these names. */
export function hasTexts<Name extends string>(value: unknown, ...names: Name[]): value is Record<Name, string> {
  if (typeof value !== 'object' || value === null) return false
  const fields = new Map<string, unknown>(Object.entries(value))
  return names.every((name) => typeof fields.get(name) === 'string')
}

export function isSession(value: unknown): value is BrowseUrlArguments['session'] {
  return value === 'owner' || value === 'clean'
}
