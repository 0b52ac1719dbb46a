import { useState } from 'preact/hooks'
import { sendCommand } from './background_link'
import type { PanelCommand } from '../state/panel_state'

export interface Doing {
  isBusy: boolean
  /** Why the last command failed, in words for the owner; empty if it did not. */
  problem: string
  /** Resolves with whether the command worked. */
  run: (request: PanelCommand) => Promise<boolean>
}

/** Run one command at a time, and show its outcome. */
export function useOutcome(): Doing {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const run = async (request: PanelCommand) => {
    if (isBusy) return false
    setBusy(true)
    setProblem('')
    const outcome = await sendCommand(request)
    setBusy(false)
    if (!outcome.ok) setProblem(outcome.message)
    return outcome.ok
  }
  return { isBusy, problem, run }
}
