// What every browser tool is: typed arguments in, a typed result or a ToolFailure out, and a signal that ends it at any time.
import { ToolFailure, type ToolContext } from '../page_tabs/call_context'
import type { ToolResult } from '../protocol.gen'

/** What any of the tools may return. */
export type ToolOutcome = NonNullable<ToolResult['result']>

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
