import { useState } from 'preact/hooks'
import type { PanelState } from '../state/panel_state'
import { say, sayCount } from '../say'
import { sendCommand } from './background_link'
import { TryNow } from '../try_now'
import { useLong } from '../use_long'
import { statusOf } from './words'

/** `quiet`: nothing is shown while all is well, nor of a short break. */
export function StatusLine({ state, quiet = false }: { state: PanelState; quiet?: boolean }) {
  const { text, tone, action, page } = statusOf(state.connection, state.pairing?.server ?? null, state.toolUse)
  const waiting = state.unsent.filter((entry) => entry.state === 'queued').length
  const isLong = useLong(tone === 'busy')
  const isWell = tone === 'busy' ? !isLong : tone === 'ok' && state.toolUse
  return (
    <div id="status" class="status" data-state={state.connection.name} data-tone={tone} hidden={quiet && isWell}>
      <span class="dot" aria-hidden="true" />
      <span role="status">{tone !== 'ok' && waiting > 0 ? sayCount('status_kept', waiting, text) : text}</span>
      {page && state.pairing && (
        <a id="mend" class="button quiet" href={`${state.pairing.server}${page}`} target="_blank" rel="noopener">
          {say('setup_open')}
        </a>
      )}
      {action === 'reconnect' && <Reconnect />}
      {action === 'pair' && <PairAgain />}
    </div>
  )
}

/** Asks the background to connect now. */
export function Reconnect() {
  return <TryNow onTry={() => void sendCommand({ type: 'reconnect' })} />
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
