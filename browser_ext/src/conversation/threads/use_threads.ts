import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { MAIN, type View } from '../../state/conversation'
import type { PanelState } from '../../state/panel_state'
import { host, sendCommand, setViewNow } from '../host'
import { afterLook, inView, viewsWithNews, type ReadTo } from './view'

const NEWEST = Number.MAX_SAFE_INTEGER

export interface Threads {
  /** What was in view last is known. */
  isReady: boolean
  view: View
  open: (view: View) => void
  /** Views in which something is new, but for the one that is shown. */
  news: ReadonlySet<View>
  /** The state with what is in view alone. */
  state: PanelState
  /** As far as this browser knows, the server has older messages of the view. */
  moreHistory: boolean
}

/** The view of the conversation, and the ways to another one. */
export function useThreads(state: PanelState, moreHistory: Partial<Record<View, boolean>>): Threads {
  const [view, setView] = useState<View>(MAIN)
  const [readTo, setReadTo] = useState<ReadTo | null>(null)
  const { messages, unsent, turns, threads } = state
  setViewNow(view)
  useLayoutEffect(() => {
    void Promise.all([host().view.getValue(), host().readTo.getValue()]).then(([lastView, lastReadTo]) => {
      setView(lastView)
      setReadTo(lastReadTo)
    })
  }, [])
  const open = (next: View) => {
    setView(next)
    void host().view.setValue(next)
  }
  useLeaveDeleted(state, view, readTo !== null, () => open(MAIN))
  const newest = messages.at(-1)?.seq ?? 0
  useEffect(() => {
    if (!readTo || (readTo[view] ?? 0) >= newest) return // a deletion makes the newest an older one
    const next = afterLook(readTo, view, newest, threads ?? [])
    setReadTo(next)
    void host().readTo.setValue(next)
  }, [newest, view, readTo])
  // apart: a streamed word is news of the turns, and leaves the messages as they are
  const ofView = useMemo(() => inView(state, view), [messages, unsent, threads, view])
  const turnsOfView = useMemo(() => inView(state, view).turns, [messages, unsent, turns, threads, view])
  useFirstMessages(ofView, view, moreHistory[view])
  return {
    isReady: readTo !== null,
    view,
    open,
    news: useMemo(
      () => (readTo && threads ? viewsWithNews(messages, readTo, view) : new Set()),
      [messages, readTo, view, threads],
    ),
    state: { ...state, messages: ofView.messages, unsent: ofView.unsent, turns: turnsOfView },
    moreHistory: moreHistory[view] ?? true,
  }
}

/** Leave a thread that is deleted here or elsewhere. One that was only begun is in no list yet. */
function useLeaveDeleted(state: PanelState, view: View, isReady: boolean, leave: () => void): void {
  const { threads, moreThreads, messages, unsent } = state
  const isListed = threads?.some(({ id }) => id === view) ?? false
  const [listedView, setListedView] = useState<View | null>(null)
  useEffect(() => {
    if (isListed) setListedView(view)
    else if (isReady && listedView === view && !moreThreads && view !== MAIN) leave()
  }, [isListed, isReady, view, threads, messages, unsent])
}

/** Fetch the newest messages of a view of which this browser has none. */
function useFirstMessages({ messages, connection, threads }: PanelState, view: View, more: boolean | undefined): void {
  const isMissing = messages.length === 0 && more !== false
  const canAsk = connection.name === 'connected' && threads !== null
  useEffect(() => {
    if (isMissing && canAsk) void sendCommand({ type: 'older', before_seq: NEWEST })
  }, [view, isMissing, canAsk])
}
