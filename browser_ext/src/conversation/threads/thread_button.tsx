import { useEffect, useRef, useState } from 'preact/hooks'
import { MAIN } from '../../state/conversation'
import type { PanelState } from '../../state/panel_state'
import { say } from '../../say'
import { Icon } from '../icon'
import { ThreadList } from './thread_list'
import type { Threads } from './use_threads'

interface ThreadButtonProps {
  /** With all messages. */
  state: PanelState
  threads: Threads
}

/** Names what is in view, and opens the list of the others. */
export function ThreadButton({ state, threads }: ThreadButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const holder = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  useEffect(() => {
    if (!isOpen) return
    const onPointerDown = (event: PointerEvent) => {
      if (event.target instanceof Node && !holder.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', onPointerDown)
    return () => document.removeEventListener('pointerdown', onPointerDown)
  }, [isOpen])
  if (!state.threads) return null
  const name = threadName(state, threads.view)
  const hasNews = threads.news.size > 0
  return (
    <div class="threads" ref={holder} onKeyDown={(event) => isOpen && event.key === 'Escape' && close()}>
      <button
        id="threads"
        ref={button}
        type="button"
        class="button quiet"
        aria-label={[say('threads_open', name), ...(hasNews ? [say('threads_news')] : [])].join('. ')}
        title={hasNews ? say('threads_news') : name}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls="thread-list"
        onClick={() => setOpen(!isOpen)}
      >
        <span class="thread-name" dir="auto">
          {name}
        </span>
        {hasNews && <span class="news" aria-hidden="true" />}
        <Icon path="M7 10l5 5 5-5" />
      </button>
      {isOpen && <ThreadList state={state} threads={threads} onClose={close} />}
    </div>
  )
}

function threadName({ threads }: PanelState, view: string): string {
  if (view === MAIN) return say('thread_main')
  return threads?.find(({ id }) => id === view)?.name ?? say('thread_new')
}
