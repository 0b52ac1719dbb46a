import type { Unsent } from '../stored'
import { command } from './background_link'
import { PageCard } from './message_item'

/** What the owner wrote, until it comes back from the server as a message. */
export function UnsentItem({ entry, isConnected }: { entry: Unsent; isConnected: boolean }) {
  const { turn_id, state, text, page, error } = entry
  return (
    <li class="message in unsent" data-state={state} data-turn={turn_id}>
      {page && <PageCard page={{ url: page.url, title: page.title }} isConnected={isConnected} />}
      <div class="text streaming">{text}</div>
      {state === 'queued' && !isConnected && <p class="waiting">Waiting to be sent</p>}
      {state === 'failed' && (
        <div class="failed" role="group" aria-label="This message was not sent">
          <p class="problem">Not sent. {error}</p>
          <button type="button" class="button" data-action="retry" onClick={() => void command({ type: 'retry', turn_id })}>
            Retry
          </button>
          <button type="button" class="button quiet" data-action="discard" onClick={() => void command({ type: 'discard', turn_id })}>
            Discard
          </button>
        </div>
      )}
    </li>
  )
}
