import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import type { LateAsk, Message } from '../../protocol.gen'
import { say, sayCount } from '../../say'
import { sendCommand } from '../host'

interface LateAsksProps {
  message: Message
  /** The turn of a temporary exchange: its question is asked again as temporary. */
  temporaryTurn?: string
}

/** The questions of an answer that nobody answered in time. A yes allows the sites and asks the message again. */
export function LateAsks({ message, temporaryTurn }: LateAsksProps) {
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState('')
  const asks = (message.late_asks ?? []).filter(({ until }) => Date.parse(until) > Date.now())
  if (asks.length === 0) return null
  const allow = async (ask_id: string) => {
    setSending(true)
    const turn = temporaryTurn ? { temporary_turn: temporaryTurn } : {}
    const outcome = await sendCommand({ type: 'allow_late', ask_id, ...turn })
    setSending(false)
    setProblem(outcome.ok ? '' : outcome.message)
  }
  return (
    <div class="late">
      {asks.map((ask) => (
        <Fragment key={ask.ask_id}>
          <button
            type="button"
            class="button"
            data-action="allow-late"
            disabled={isSending}
            onClick={() => void allow(ask.ask_id)}
          >
            {labelOf(ask)}
          </button>
          {ask.hosts.length > 1 && <span>{ask.hosts.join(', ')}</span>}
        </Fragment>
      ))}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

function labelOf({ hosts, engine }: LateAsk): string {
  return hosts.length > 1 ? sayCount('ask_late_sites', hosts.length) : say('ask_late_allow', engine || (hosts[0] ?? ''))
}
