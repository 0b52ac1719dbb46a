import { say } from '../../say'
import type { Unsent } from '../../state/outbox'
import { sendCommand } from '../host'
import { Files, useRemembered } from './files'
import { PageCard } from './message_item'

/** A message of the owner until it comes back from the server. */
export function UnsentItem({ entry, isConnected }: { entry: Unsent; isConnected: boolean }) {
  const { turn_id, state, text, page, attachments, error } = entry
  useRemembered(turn_id, attachments)
  return (
    <li class="message in unsent" data-state={state} data-turn={turn_id}>
      {page && <PageCard page={{ url: page.url, title: page.title }} isConnected={isConnected} />}
      <Files files={attachments} turnId={turn_id} isConnected={isConnected} isAnswered={false} />
      <div class="text plain" dir="auto">
        {text}
      </div>
      {state === 'queued' && !isConnected && <p class="waiting">{say('waiting_to_send')}</p>}
      {state === 'failed' && (
        <div class="failed" role="group" aria-label={say('not_sent_group')}>
          <p class="problem">{say('not_sent', error ?? '')}</p>
          <button
            type="button"
            class="button"
            data-action="retry"
            onClick={() => void sendCommand({ type: 'retry', turn_id })}
          >
            {say('retry')}
          </button>
          <button
            type="button"
            class="button quiet"
            data-action="discard"
            onClick={() => void sendCommand({ type: 'discard', turn_id })}
          >
            {say('discard')}
          </button>
        </div>
      )}
    </li>
  )
}
