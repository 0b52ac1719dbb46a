import { useState } from 'preact/hooks'
import { useConversation } from '../conversation/use_conversation'
import { EmptyThread } from '../conversation/threads/empty_thread'
import { useThreads } from '../conversation/threads/use_threads'
import { viewOf } from '../conversation/threads/view'
import type { Message } from '../protocol.gen'
import { MAIN } from '../state/conversation'
import { ErrandSteps } from '../conversation/errand_steps'
import { host } from '../conversation/host'
import { Announcer } from '../conversation/announcer'
import { AskCard } from '../conversation/ask_card'
import { Conversation } from '../conversation/conversation'
import { StoppedLine } from '../conversation/stopped'
import { LookLine } from '../conversation/look_line'
import { Notice } from '../conversation/notice'
import { Empty } from './empty'
import { PanelComposer } from './panel_composer'
import { PairingView } from './pairing_view'
import { Search } from '../conversation/search'
import { StatusLine } from '../own_pages/status_line'
import { TopBar } from './top_bar'
import { useKept } from '../composer/use_kept'

export function App() {
  const { state, isLoaded, moreHistory, dropOldest } = useConversation()
  const threads = useThreads(state, moreHistory)
  const [quotedMessage, quote] = useKept<Message | null>(host().drafts.quoted, null)
  const [isSearching, setSearching] = useState(false)
  const [foundSeq, setFound] = useState<number | null>(null)
  if (!isLoaded || !threads.isReady) return <main aria-busy="true" />
  const isRevoked = state.connection.name === 'refused' && state.connection.reason === 'revoked'
  if (!state.pairing || isRevoked) return <PairingView state={state} />
  const openFound = (message: Message) => {
    setSearching(false)
    threads.open(viewOf(message))
    setFound(message.seq)
  }
  const closeSearch = () => {
    setSearching(false)
    document.getElementById('search')?.focus()
  }
  return (
    <>
      <TopBar state={state} threads={threads} isSearching={isSearching} onSearch={() => setSearching(!isSearching)} />
      <StatusLine state={state} quiet />
      <main class="talk">
        {isSearching ? (
          <Search
            view={state.threads && threads.view}
            server={state.pairing?.server ?? ''}
            onOpen={openFound}
            onClose={closeSearch}
          />
        ) : (
          <Conversation
            key={threads.view}
            state={threads.state}
            empty={threads.view === MAIN ? <Empty state={state} /> : <EmptyThread />}
            moreHistory={threads.moreHistory}
            onQuote={quote}
            foundSeq={foundSeq}
            onFound={() => setFound(null)}
            onLong={dropOldest}
          />
        )}
      </main>
      <Notice text={state.notice} />
      <StoppedLine state={state} />
      <LookLine look={state.look} server={state.pairing.server} />
      <ErrandSteps errands={state.errands} />
      <AskCard asks={state.asks} lookAsks={state.look?.question} server={state.pairing.server} />
      <PanelComposer
        turns={threads.state.turns}
        server={state.pairing.server}
        isTemporary={state.isTemporary}
        obstacle={state.obstacle}
        keeping={state.keeping}
        isConnected={state.connection.name === 'connected'}
        proposal={state.proposal}
        quotedMessage={quotedMessage}
        onQuote={quote}
      />
      <Announcer state={state} />
    </>
  )
}
