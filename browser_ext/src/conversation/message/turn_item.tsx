import { say, sayCount } from '../../say'
import type { Turn } from '../../state/turns'
import { Growing } from '../text/written'

interface TurnProps {
  turn: Turn
  server: string
  /** Whether the device that asked stands above: its question is not there to say so. */
  isNamed: boolean
}

/** An answer that is still streaming. Its finished message replaces it. */
export function TurnItem({ turn, server, isNamed }: TurnProps) {
  const status = turn.status || (turn.text ? '' : say('thinking'))
  return (
    <li class="message out turn" data-turn={turn.turn_id} aria-busy="true">
      {isNamed && <span class="device">{turn.device_label}</span>}
      {turn.text && <Growing text={turn.text} server={server} />}
      {status && <p class="busy">{status}</p>}
      {turn.steps.length > 1 && <Steps steps={turn.steps} />}
    </li>
  )
}

function Steps({ steps }: { steps: string[] }) {
  return (
    <details class="steps">
      <summary>{sayCount('steps', steps.length)}</summary>
      <ol>
        {steps.map((step, place) => (
          <li key={place}>{step}</li>
        ))}
      </ol>
    </details>
  )
}
