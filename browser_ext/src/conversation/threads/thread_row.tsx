import { useEffect, useRef, useState } from 'preact/hooks'
import type { ThreadInfo } from '../../protocol.gen'
import type { View } from '../../state/conversation'
import { say } from '../../say'
import { Icon } from '../icon'
import { sendCommand } from '../host'
import { dayOf } from '../words'

const NAME_CHARACTERS = 80

interface ThreadRowProps {
  view: View
  /** Null for the main conversation, which has no name of its own. */
  thread: ThreadInfo | null
  server: string
  isShown: boolean
  isNew: boolean
  onOpen: () => void
  onDelete: (thread: ThreadInfo) => Promise<void>
  onProblem: (problem: string) => void
}

export function ThreadRow({ view, thread, server, isShown, isNew, onOpen, onDelete, onProblem }: ThreadRowProps) {
  const [isMore, setMore] = useState(false)
  const [isRenaming, setRenaming] = useState(false)
  const more = useRef<HTMLButtonElement>(null)
  const name = thread?.name ?? say('thread_main')
  if (isRenaming && thread) {
    return <Rename thread={thread} onProblem={onProblem} onDone={() => setRenaming(false)} />
  }
  const rename = () => {
    setMore(false)
    setRenaming(true)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isMore) return
    event.stopPropagation()
    setMore(false)
    more.current?.focus()
  }
  return (
    <li class="thread" data-thread={view} onKeyDown={onKeyDown}>
      <div class="thread-line">
        <button type="button" class="thread-open" aria-current={isShown ? 'true' : undefined} onClick={onOpen}>
          <span class="thread-name" dir="auto">
            {name}
          </span>
          {isNew && <span class="chip new">{say('thread_is_new')}</span>}
          {thread && <small>{dayOf(thread.used_at, new Date())}</small>}
        </button>
        <button
          ref={more}
          type="button"
          class="button quiet thread-more"
          aria-label={say('thread_more', name)}
          title={say('thread_more', name)}
          aria-expanded={isMore}
          onClick={() => setMore(!isMore)}
        >
          <Icon path="M5 12h.01M12 12h.01M19 12h.01" />
        </button>
      </div>
      {isMore && (
        <div class="thread-acts">
          {thread && (
            <button type="button" class="button quiet" data-thread-act="rename" onClick={rename}>
              {say('thread_rename')}
            </button>
          )}
          <a
            class="button quiet"
            data-thread-act="export"
            href={`${server}/chat/conversation.md?thread=${view}`}
            target="_blank"
            rel="noopener"
          >
            {say('thread_export')}
          </a>
          {thread && (
            <button type="button" class="button stop" data-thread-act="delete" onClick={() => void onDelete(thread)}>
              {say('thread_delete')}
            </button>
          )}
        </div>
      )}
    </li>
  )
}

interface RenameProps {
  thread: ThreadInfo
  onProblem: (problem: string) => void
  onDone: () => void
}

/** The name in a field, in its place. */
function Rename({ thread, onProblem, onDone }: RenameProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  const done = () => {
    onDone()
    setTimeout(() => document.querySelector<HTMLElement>(`[data-thread="${thread.id}"] .thread-open`)?.focus())
  }
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const name = field.current?.value.trim()
    if (!name) return
    const outcome = await sendCommand({ type: 'rename_thread', thread_id: thread.id, name })
    onProblem(outcome.ok ? '' : outcome.message)
    if (outcome.ok) done()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    done()
  }
  return (
    <li class="thread" data-thread={thread.id}>
      <form class="thread-rename" onSubmit={(event) => void save(event)} onKeyDown={onKeyDown}>
        <input
          ref={field}
          class="field"
          dir="auto"
          aria-label={say('thread_name')}
          maxLength={NAME_CHARACTERS}
          defaultValue={thread.name}
        />
        <button type="submit" class="button">
          {say('save')}
        </button>
      </form>
    </li>
  )
}
