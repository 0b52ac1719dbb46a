import { useLayoutEffect, useReducer, useState } from 'preact/hooks'
import { afterEvent, EMPTY_STATE, type PanelEvent, type PanelState } from '../state/panel_state'
import type { Message } from '../protocol.gen'
import { stored } from '../state/stored'
import { Announcer } from '../conversation/announcer'
import { AskCard } from '../conversation/ask_card'
import { listenToBackground } from '../own_pages/background_link'
import { Composer } from '../composer/composer'
import { Conversation } from '../conversation/conversation'
import { Notice } from '../own_pages/notice'
import { PairingView } from './pairing_view'
import { Search } from '../conversation/search'
import { StatusLine } from '../own_pages/status_line'
import { TopBar } from './top_bar'
import { useKept } from '../composer/use_kept'

interface View {
  state: PanelState
  /** False until the background sent the state: before that nothing is shown. */
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
  const [quotedMessage, quote] = useKept<Message | null>(stored.draftQuoted, null)
  const [isSearching, setSearching] = useState(false)
  const [foundSeq, setFound] = useState<number | null>(null)
  useLayoutEffect(() => listenToBackground(take), []) // an effect would wait for a frame
  if (!isLoaded) return <main aria-busy="true" />
  const isRevoked = state.connection.name === 'refused' && state.connection.reason === 'revoked'
  if (!state.pairing || isRevoked) return <PairingView state={state} />
  const openFound = ({ seq }: Message) => {
    setSearching(false)
    setFound(seq)
  }
  const closeSearch = () => {
    setSearching(false)
    document.getElementById('search')?.focus()
  }
  return (
    <>
      <TopBar state={state} isSearching={isSearching} onSearch={() => setSearching(!isSearching)} />
      <StatusLine state={state} />
      {isSearching ? (
        <Search onOpen={openFound} onClose={closeSearch} />
      ) : (
        <Conversation
          state={state}
          moreHistory={moreHistory}
          onQuote={quote}
          foundSeq={foundSeq}
          onFound={() => setFound(null)}
        />
      )}
      <Notice text={state.notice} />
      <AskCard asks={state.asks} />
      <Composer
        turns={state.turns}
        server={state.pairing.server}
        isTemporary={state.isTemporary}
        quotedMessage={quotedMessage}
        onQuote={quote}
        proposal={state.proposal}
      />
      <Announcer state={state} />
    </>
  )
}
