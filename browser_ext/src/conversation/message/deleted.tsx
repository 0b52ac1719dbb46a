import { useEffect, useRef } from 'preact/hooks'
import { say } from '../../say'
import type { Deletion } from './use_deletion'

/** Says that a message was deleted, or why not, and takes it back. It has the focus of the message that went. */
export function Deleted({ deletion: { message, problem, undo, close } }: { deletion: Deletion }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [message?.id])
  if (!message && !problem) return null
  return (
    <p class="message-deleted">
      <span role="status">{problem || say('message_deleted')}</span>
      {message && (
        <button id="message-undo" ref={button} type="button" class="button quiet" onClick={() => void undo()}>
          {say('undo')}
        </button>
      )}
      <button type="button" class="button quiet" aria-label={say('close')} title={say('close')} onClick={close}>
        <span aria-hidden="true">×</span>
      </button>
    </p>
  )
}
