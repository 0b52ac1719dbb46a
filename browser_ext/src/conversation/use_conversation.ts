import { useLayoutEffect, useReducer } from 'preact/hooks'
import { MAIN } from '../state/conversation'
import { afterEvent, EMPTY_STATE, type PanelEvent, type PanelState } from '../state/panel_state'
import { host } from './host'

interface View {
  state: PanelState
  /** False until the host gave the state: before that nothing is shown. */
  isLoaded: boolean
  /** By view, whether the server has older messages. Missing where it was not asked. */
  moreHistory: Partial<Record<string, boolean>>
}

const INITIAL: View = { state: EMPTY_STATE, isLoaded: false, moreHistory: {} }

/** The state of the conversation, kept up to date by the host. */
export function useConversation(): View {
  const [view, take] = useReducer(afterHostEvent, INITIAL)
  useLayoutEffect(() => host().listen(take), []) // an effect would wait for a frame
  return view
}

function afterHostEvent(view: View, event: PanelEvent): View {
  const moreHistory =
    event.type === 'history' ? { ...view.moreHistory, [event.thread ?? MAIN]: event.more } : view.moreHistory
  return { state: afterEvent(view.state, event), isLoaded: view.isLoaded || event.type === 'state', moreHistory }
}
