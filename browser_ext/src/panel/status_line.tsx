import { useState } from 'preact/hooks'
import type { PanelState } from '../panel_state'
import { command } from './background_link'
import { statusOf } from './words'

export function StatusLine({ state }: { state: PanelState }) {
  const { text, tone, action } = statusOf(state.connection, state.pairing?.server ?? null, state.toolUse)
  const waiting = state.unsent.filter((entry) => entry.state === 'queued').length
  const kept = tone !== 'ok' && waiting > 0 ? `. ${waiting === 1 ? 'Your message is' : `${waiting} messages are`} kept` : ''
  return (
    <div id="status" class="status" data-state={state.connection.name} data-tone={tone}>
      <span class="dot" aria-hidden="true" />
      <span role="status">
        {text}
        {kept}
      </span>
      {action === 'reconnect' && <TryNow />}
      {action === 'pair' && <PairAgain />}
    </div>
  )
}

function TryNow() {
  return (
    <button id="reconnect" type="button" class="button quiet" onClick={() => void command({ type: 'reconnect' })}>
      Try now
    </button>
  )
}

/** Asked once more: the pairing that is there is given up. */
function PairAgain() {
  const [isAsked, ask] = useState(false)
  const unpair = () => (isAsked ? void command({ type: 'unpair' }) : ask(true))
  return (
    <button id="pair-again" type="button" class="button quiet" onClick={unpair}>
      {isAsked ? 'Yes, pair again' : 'Pair again'}
    </button>
  )
}
