import { useState } from 'preact/hooks'
import type { PanelState } from '../state/panel_state'
import { say, sayCount } from '../say'
import { sendCommand } from './background_link'
import { statusOf } from './words'

export function StatusLine({ state }: { state: PanelState }) {
  const { text, tone, action } = statusOf(state.connection, state.pairing?.server ?? null, state.toolUse)
  const waiting = state.unsent.filter((entry) => entry.state === 'queued').length
  return (
    <div id="status" class="status" data-state={state.connection.name} data-tone={tone}>
      <span class="dot" aria-hidden="true" />
      <span role="status">{tone !== 'ok' && waiting > 0 ? sayCount('status_kept', waiting, text) : text}</span>
      {action === 'reconnect' && <TryNow />}
      {action === 'pair' && <PairAgain />}
    </div>
  )
}

function TryNow() {
  return (
    <button id="reconnect" type="button" class="button quiet" onClick={() => void sendCommand({ type: 'reconnect' })}>
      {say('try_now')}
    </button>
  )
}

/** Asks again first: this ends the present pairing. */
function PairAgain() {
  const [isAsked, ask] = useState(false)
  const unpair = () => (isAsked ? void sendCommand({ type: 'unpair' }) : ask(true))
  return (
    <button id="pair-again" type="button" class="button quiet" onClick={unpair}>
      {say(isAsked ? 'pair_again_sure' : 'pair_again')}
    </button>
  )
}
