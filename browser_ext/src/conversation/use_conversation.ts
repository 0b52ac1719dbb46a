import { useCallback, useLayoutEffect, useReducer } from 'preact/hooks'
import { MAIN } from '../state/conversation'
import { afterEvent, EMPTY_STATE, type PanelEvent, type PanelState } from '../state/panel_state'
import { host } from './host'
import { viewOf, withoutOldest } from './threads/view'

interface View {
  state: PanelState
  /** False until the host gave the state: before that nothing is shown. */
  isLoaded: boolean
  /** By view, whether the server has older messages. Missing where it was not asked. */
  moreHistory: Partial<Record<string, boolean>>
}

const INITIAL: View = { state: EMPTY_STATE, isLoaded: false, moreHistory: {} }

/**
 * The state of the conversation, kept up to date by the host. `dropOldest`: a page that is open for days holds no more
 * messages than one that was just opened.
 */
export function useConversation(): View & { dropOldest: () => void } {
  const [view, take] = useReducer(afterHostEvent, INITIAL)
  useLayoutEffect(() => host().listen(take), []) // an effect would wait for a frame
  const dropOldest = useCallback(() => take({ type: 'drop_oldest' }), [])
  return { ...view, dropOldest }
}

function afterHostEvent(view: View, event: PanelEvent | { type: 'drop_oldest' }): View {
  if (event.type === 'drop_oldest') return afterDropping(view)
  const moreHistory =
    event.type === 'history' ? { ...view.moreHistory, [event.thread ?? MAIN]: event.more } : view.moreHistory
  return { state: afterEvent(view.state, event), isLoaded: view.isLoaded || event.type === 'state', moreHistory }
}

function afterDropping({ state, isLoaded, moreHistory }: View): View {
  const messages = withoutOldest(state.messages)
  const newest = new Set(messages)
  const shortened = state.messages.filter((message) => !newest.has(message)).map(viewOf)
  const more = Object.fromEntries(shortened.map((view) => [view, true]))
  return { state: { ...state, messages }, isLoaded, moreHistory: { ...moreHistory, ...more } }
}
