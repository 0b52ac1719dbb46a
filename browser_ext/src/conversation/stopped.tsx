import { say } from '../say'
import type { ConversationCommand, PanelState } from '../state/panel_state'
import { sendCommand } from './host'

/** Without a connection nobody knows, and *Go on* would be sent later, perhaps after another stop. */
export function isKnownStopped({ isStopped, connection }: PanelState): boolean {
  return isStopped && connection.name === 'connected'
}

/** Says that everything is stopped, above what the owner writes. */
export function StoppedLine({ state }: { state: PanelState }) {
  return (
    <div role="status">
      {isKnownStopped(state) && (
        <div id="stopped" class="strip stopped">
          <span>{say('everything_stopped')}</span>
          <GoOn />
        </div>
      )}
    </div>
  )
}

/** The button below a question without an answer. While everything is stopped, the question would be refused again. */
export function TryAgain({ isStopped, command }: { isStopped: boolean; command: ConversationCommand }) {
  if (isStopped) return <GoOn />
  return (
    <button type="button" class="button" data-action="ask-again" onClick={() => void sendCommand(command)}>
      {say('try_again')}
    </button>
  )
}

/** The button below an answer that is not whole. While everything is stopped, it would be refused. */
export function GoOnWith({ isStopped, command }: { isStopped: boolean; command: ConversationCommand }) {
  if (isStopped) return null
  return (
    <button type="button" class="button" data-action="go-on-with" onClick={() => void sendCommand(command)}>
      {say('go_on')}
    </button>
  )
}

function GoOn() {
  const goOn = () => void sendCommand({ type: 'send', text: '/resume' })
  return (
    <button type="button" class="button primary" data-action="go-on" onClick={goOn}>
      {say('go_on')}
    </button>
  )
}
