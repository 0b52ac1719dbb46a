import { useState } from 'preact/hooks'
import { copyText } from '../text/formatting'
import type { Message } from '../../protocol.gen'
import { say } from '../../say'
import { Icon } from '../icon'
import { intoComposer } from '../into_composer'

const SHOWN_MS = 1500
const SHAPES = {
  copy: 'M8 8h11v12H8zM5 16V4h11',
  quote: 'M5 17c3 0 4-2 4-5V7H4v5h5M15 17c3 0 4-2 4-5V7h-5v5h5',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  delete: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13',
  how: 'M12 11v6M12 7v.5M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18z',
}

interface ActsProps {
  message: Message
  server: string
  /** Missing for a temporary message: the server has nothing to refer to. */
  onQuote?: (message: Message) => void
  onDelete?: (message: Message) => void
}

export function MessageActions({ message, server, onQuote, onDelete }: ActsProps) {
  const [status, setSaid] = useState('')
  const copy = async () => {
    setSaid(say((await copyText(message.text)) ? 'copied' : 'act_not_copied'))
    setTimeout(() => setSaid(''), SHOWN_MS)
  }
  const edit = () => {
    intoComposer(message.text)
    // the server takes files and page from the quoted message
    if (message.attachments?.length || message.page) onQuote?.(message)
  }
  const turnOfAnswer = onQuote && message.direction === 'out' ? message.turn_id : null
  return (
    <div class="acts" role="group" aria-label={say('acts')}>
      <Action name="copy" label={say('act_copy')} act={() => void copy()} />
      {onQuote && <Action name="quote" label={say('act_quote')} act={() => onQuote(message)} />}
      {onQuote && message.direction === 'in' && message.kind !== 'reaction' && (
        <Action name="edit" label={say('act_edit')} act={edit} />
      )}
      {turnOfAnswer && (
        <a
          class="button quiet"
          data-act="how"
          href={`${server}/turns/${turnOfAnswer}/`}
          target="_blank"
          rel="noopener"
          aria-label={say('act_how')}
          title={say('act_how')}
        >
          <Icon path={SHAPES.how} />
        </a>
      )}
      {onDelete && message.kind !== 'reaction' && (
        <Action name="delete" label={say('act_delete')} act={() => onDelete(message)} />
      )}
      <span class={status ? 'chip' : 'unseen'} role="status">
        {status}
      </span>
    </div>
  )
}

function Action({ name, label, act }: { name: keyof typeof SHAPES; label: string; act: () => void }) {
  return (
    <button type="button" class="button quiet" data-act={name} aria-label={label} title={label} onClick={act}>
      <Icon path={SHAPES[name]} />
    </button>
  )
}
