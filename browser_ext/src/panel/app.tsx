import { useEffect, useReducer } from 'preact/hooks'
import { afterEvent, EMPTY_STATE, type PanelEvent, type PanelState } from '../panel_state'
import { Announcer } from './announcer'
import { AskCard } from './ask_card'
import { listenToBackground } from './background_link'
import { Composer } from './composer'
import { Conversation } from './conversation'
import { Notice } from './notice'
import { PairingView } from './pairing_view'
import { StatusLine } from './status_line'
import { TopBar } from './top_bar'

interface View {
  state: PanelState
  /** False until the background has said how things are: nothing is claimed before. */
  isLoaded: boolean
  moreHistory: boolean
}

const INITIAL: View = { state: EMPTY_STATE, isLoaded: false, moreHistory: true }

function afterBackgroundEvent(view: View, event: PanelEvent): View {
  const moreHistory = event.type === 'history' ? event.more : view.moreHistory
  return { state: afterEvent(view.state, event), isLoaded: view.isLoaded || event.type === 'state', moreHistory }
}

export function App() {
  const [{ state, isLoaded, moreHistory }, take] = useReducer(afterBackgroundEvent, INITIAL)
  useEffect(() => listenToBackground(take), [])
  if (!isLoaded) return <main aria-busy="true" />
  const isRevoked = state.connection.name === 'refused' && state.connection.reason === 'revoked'
  if (!state.pairing || isRevoked) return <PairingView state={state} />
  return (
    <>
      <TopBar state={state} />
      <StatusLine state={state} />
      <Conversation state={state} moreHistory={moreHistory} />
      <Notice text={state.notice} />
      <AskCard asks={state.asks} />
      <Composer turns={state.turns} server={state.pairing.server} />
      <Announcer state={state} />
    </>
  )
}
