import { useEffect, useState } from 'preact/hooks'
import type { Ask } from '../state/asks'
import { say } from '../say'
import { sendCommand } from './host'
import { askedName } from './words'

const SHOWN_MS = 10_000
const LASTING = ['always', 'always_clean', 'hour', 'block']

/** An answer that the owner just gave. */
export interface Given {
  ask: Ask
  choice: string
}

/** Whether the answer outlives the task that asked: otherwise there is nothing to take back. */
export function canBeUndone({ ask, choice }: Given): boolean {
  return ask.type === 'grant.ask' && LASTING.includes(choice)
}

/** Says what a lasting answer did, and takes it back. A question is asked only where nothing was decided before. */
export function Answered({ answer, onOver }: { answer: Given | null; onOver: () => void }) {
  const [problem, setProblem] = useState('')
  useEffect(() => {
    const timer = answer && setTimeout(onOver, SHOWN_MS)
    return () => clearTimeout(timer ?? undefined)
  }, [answer])
  if (answer?.ask.type !== 'grant.ask') return null
  const { host, capability } = answer.ask
  const undo = async () => {
    const outcome = await sendCommand({ type: 'revoke_grant', grant: { host, capability } })
    if (outcome.ok) {
      onOver()
      document.getElementById('composer')?.focus()
    } else setProblem(outcome.message)
  }
  return (
    <section class="answered" aria-label={say('undo')}>
      <span role="status">
        {problem || say(answer.choice === 'block' ? 'ask_blocked' : 'ask_allowed', askedName(answer.ask))}
      </span>
      <button id="ask-undo" type="button" class="button quiet" onClick={() => void undo()}>
        {say('undo')}
      </button>
    </section>
  )
}
