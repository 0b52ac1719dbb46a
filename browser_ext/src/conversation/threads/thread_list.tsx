import { useEffect, useRef, useState } from 'preact/hooks'
import { newId } from '../../new_id'
import type { ThreadInfo } from '../../protocol.gen'
import { MAIN, type View } from '../../state/conversation'
import type { PanelState } from '../../state/panel_state'
import { say } from '../../say'
import { sendCommand } from '../host'
import { ThreadRow } from './thread_row'
import type { Threads } from './use_threads'
import { inOrderOfUse } from './view'

const PAUSE_MS = 200

interface ThreadListProps {
  state: PanelState
  threads: Threads
  onClose: () => void
}

/** All threads: search, begin, open, and what each row offers. */
export function ThreadList({ state, threads, onClose }: ThreadListProps) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  const deletion = useDeletion(setProblem)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLElement>(null)
  const matches = useMatches(state, text)
  useEffect(() => field.current?.focus(), [])
  const open = (view: View) => {
    threads.open(view)
    onClose()
    document.getElementById('composer')?.focus()
  }
  const row = (view: View, thread: ThreadInfo | null) => (
    <ThreadRow
      key={view}
      view={view}
      thread={thread}
      server={state.pairing?.server ?? ''}
      isShown={threads.view === view}
      isNew={threads.news.has(view)}
      onOpen={() => open(view)}
      onDelete={deletion.remove}
      onProblem={setProblem}
    />
  )
  return (
    <section
      id="thread-list"
      class="thread-list"
      role="dialog"
      aria-label={say('threads')}
      ref={list}
      onKeyDown={(event) => moveFocus(event, list.current)}
    >
      <div class="thread-tools">
        <input
          id="thread-search"
          ref={field}
          class="field"
          type="search"
          dir="auto"
          maxLength={200}
          aria-label={say('thread_search')}
          placeholder={say('thread_search')}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button id="thread-new" type="button" class="button" onClick={() => open(newId())}>
          {say('thread_new')}
        </button>
      </div>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {deletion.thread && <Deleted thread={deletion.thread} onUndo={deletion.undo} />}
      <ul>
        {!text.trim() && row(MAIN, null)}
        {matches.map((thread) => row(thread.id, thread))}
      </ul>
      {text.trim() && matches.length === 0 && <p class="nothing">{say('thread_none')}</p>}
      {!text.trim() && state.moreThreads && <p class="nothing">{say('thread_older')}</p>}
    </section>
  )
}

/** Threads whose name holds the text. Where the list is not whole, the server looks too. */
function useMatches({ threads, moreThreads, messages }: PanelState, text: string): ThreadInfo[] {
  const [others, setOthers] = useState<ThreadInfo[]>([])
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  useEffect(() => {
    setOthers([])
    if (!moreThreads || !text.trim()) return
    let isWanted = true
    const timer = setTimeout(() => {
      void sendCommand({ type: 'find_threads', text }).then(
        (outcome) => isWanted && outcome.ok && setOthers(outcome.threads ?? []),
      )
    }, PAUSE_MS)
    return () => (clearTimeout(timer), void (isWanted = false))
  }, [text, moreThreads])
  const here = inOrderOfUse(threads ?? [], messages)
  const listedIds = new Set(here.map(({ id }) => id))
  const matches = here.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
  return [...matches, ...others.filter(({ id }) => !listedIds.has(id))]
}

/** Delete a thread, and take that back while the list is open. */
function useDeletion(onProblem: (problem: string) => void) {
  const [thread, setThread] = useState<ThreadInfo | null>(null)
  const remove = async (deleted: ThreadInfo) => {
    const outcome = await sendCommand({ type: 'delete_thread', thread_id: deleted.id })
    onProblem(outcome.ok ? '' : outcome.message)
    if (outcome.ok) setThread(deleted)
  }
  const undo = async () => {
    const outcome = thread && (await sendCommand({ type: 'restore_thread', thread_id: thread.id }))
    onProblem(outcome && !outcome.ok ? outcome.message : '')
    if (outcome?.ok) setThread(null)
    document.getElementById('thread-search')?.focus()
  }
  return { thread, remove, undo }
}

function Deleted({ thread, onUndo }: { thread: ThreadInfo; onUndo: () => Promise<void> }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [thread.id])
  return (
    <p class="thread-deleted">
      <span role="status">{say('thread_deleted', thread.name)}</span>
      <button id="thread-undo" ref={button} type="button" class="button quiet" onClick={() => void onUndo()}>
        {say('undo')}
      </button>
    </p>
  )
}

/** The arrows go from the search through the rows. */
function moveFocus(event: KeyboardEvent, list: HTMLElement | null): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step || !list) return
  const stops = [...list.querySelectorAll<HTMLElement>('#thread-search, .thread-open')]
  const place = stops.findIndex(
    (stop) => stop === document.activeElement || stop.parentElement?.contains(document.activeElement),
  )
  const next = stops[Math.max(0, place) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
