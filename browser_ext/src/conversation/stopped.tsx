import { say } from '../say'
import type { ConversationCommand } from '../state/panel_state'
import { sendCommand } from './host'

/** Says that everything is stopped, above what the owner writes. */
export function StoppedLine({ isStopped }: { isStopped: boolean }) {
  return (
    <div role="status">
      {isStopped && (
        <div id="stopped" class="notice stopped">
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

function GoOn() {
  const goOn = () => void sendCommand({ type: 'send', text: '/resume' })
  return (
    <button type="button" class="button primary" data-action="go-on" onClick={goOn}>
      {say('go_on')}
    </button>
  )
}
