// Running calls. Each is answered once: with its result, its failure, its deadline or its cancellation.
import { abortable, deadline } from '../abortable'
import type { ServerFrameOf } from '../server/frames'
import type { GrantInfo, ToolError, ToolResult } from '../protocol.gen'
import { toolNamed } from './table'
import { untilStarted } from '../page_tabs/start'
import { ToolFailure, type Stage, type ToolContext } from '../page_tabs/call_context'
import type { ToolOutcome } from './tool'

/** The answer should arrive before the server gives up. */
const MARGIN_MS = 500
const MESSAGE_CHARACTERS = 1_000

const REASONS = {
  cancelled: 'The call was cancelled.',
  tools_off: 'Reading pages is switched off in this browser.',
} as const

const SLOW: Record<Stage, string> = {
  open: 'The tab took too long to open.',
  load: 'The page took too long to load.',
  read: 'The page took too long to read.',
  close: 'The tab took too long to close.',
}

export interface CallsHost {
  isOn(): boolean
  permits(url: URL): boolean
  mayAct(url: URL): boolean
  isCleanOnly(url: URL): boolean
  rules(): readonly GrantInfo[]
  answer(frame: ToolResult): void
}

export class ToolCalls {
  readonly #running = new Map<string, AbortController>()

  constructor(private readonly host: CallsHost) {}

  /** Return at once. A call that already runs is not started again. */
  call(frame: ServerFrameOf<'tool.call'>): void {
    if (this.#running.has(frame.call_id)) return
    const controller = new AbortController()
    this.#running.set(frame.call_id, controller)
    void this.#runCall(frame, controller.signal).then((answer) => {
      this.#running.delete(frame.call_id)
      this.host.answer({ type: 'tool.result', call_id: frame.call_id, ...answer })
    })
  }

  cancel(call_id: string): void {
    this.#running.get(call_id)?.abort(failureFor('cancelled'))
  }

  abortAll(code: keyof typeof REASONS): void {
    this.#running.forEach((controller) => controller.abort(failureFor(code)))
  }

  async #runCall(
    frame: ServerFrameOf<'tool.call'>,
    signal: AbortSignal,
  ): Promise<Pick<ToolResult, 'result' | 'error'>> {
    const limitMs = Math.max(0, frame.deadline_ms - MARGIN_MS)
    let stage: Stage = 'open'
    const limit = deadline(limitMs, () => new ToolFailure('timeout', SLOW[stage]))
    const either = AbortSignal.any([signal, limit.signal])
    const times = { signal: either, endsAt: Date.now() + limitMs, doing: (now: Stage) => void (stage = now) }
    try {
      return { result: await abortable(this.#run(frame, times), either) }
    } catch (failure) {
      return { error: errorOf(frame.tool, failure) }
    } finally {
      limit.stop()
    }
  }

  async #run(
    frame: ServerFrameOf<'tool.call'>,
    times: Pick<ToolContext, 'signal' | 'endsAt' | 'doing'>,
  ): Promise<ToolOutcome> {
    await untilStarted()
    if (!this.host.isOn()) throw failureFor('tools_off')
    const tool = toolNamed(frame.tool)
    if (!tool) throw new ToolFailure('internal', 'This browser does not have that tool.')
    const { host } = this
    return tool(frame.arguments, {
      ...times,
      permits: (url) => host.permits(url),
      mayAct: (url) => host.mayAct(url),
      isCleanOnly: (url) => host.isCleanOnly(url),
      rules: () => host.rules(),
    })
  }
}

function failureFor(code: keyof typeof REASONS): ToolFailure {
  return new ToolFailure(code, REASONS[code])
}

function errorOf(tool: string, failure: unknown): ToolError {
  if (failure instanceof ToolFailure)
    return { code: failure.code, message: failure.message.slice(0, MESSAGE_CHARACTERS) }
  console.error('Penny: the tool failed', tool, failure)
  return { code: 'internal', message: 'Something went wrong in the browser.' }
}
