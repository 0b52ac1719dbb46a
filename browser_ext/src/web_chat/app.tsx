import { useState } from 'preact/hooks'
import { Composer } from '../composer/composer'
import { useKept } from '../composer/use_kept'
import { Announcer } from '../conversation/announcer'
import { AskCard } from '../conversation/ask_card'
import { Conversation } from '../conversation/conversation'
import { StoppedLine } from '../conversation/stopped'
import { ErrandSteps } from '../conversation/errand_steps'
import { host } from '../conversation/host'
import { LookLine } from '../conversation/look_line'
import { Notice } from '../conversation/notice'
import { Search } from '../conversation/search'
import { SearchButton } from '../conversation/search_button'
import { EmptyThread } from '../conversation/threads/empty_thread'
import { ThreadButton } from '../conversation/threads/thread_button'
import { useThreads } from '../conversation/threads/use_threads'
import { viewOf } from '../conversation/threads/view'
import { useConversation } from '../conversation/use_conversation'
import type { Message } from '../protocol.gen'
import { MAIN } from '../state/conversation'
import { Empty } from './empty'
import type { PageData } from './page_data'
import { StatusLine } from './status'
import { useTabIcon } from './use_tab_icon'
import { Above, useSubject } from './subject'
import { useLinkedMessage } from './use_linked_message'
import { useShownAddress } from './use_shown_address'

export function App({ data }: { data: PageData }) {
  const { state, isLoaded, moreHistory, dropOldest } = useConversation()
  const threads = useThreads(state, moreHistory)
  useShownAddress(threads)
  const [quotedMessage, quote] = useKept<Message | null>(host().drafts.quoted, null)
  const [isSearching, setSearching] = useState(false)
  const [foundSeq, setFound] = useLinkedMessage(() => setSearching(false))
  const subject = useSubject(data.about)
  useTabIcon(state)
  if (!isLoaded || !threads.isReady) return null
  const server = state.pairing?.server ?? ''
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
      <div class="chat-bar">
        <ThreadButton state={state} threads={threads} />
        <StatusLine state={state} />
        <SearchButton isSearching={isSearching} onSearch={() => setSearching(!isSearching)} />
      </div>
      {isSearching ? (
        <Search view={threads.view} server={server} onOpen={openFound} onClose={closeSearch} />
      ) : (
        <Conversation
          key={threads.view}
          state={threads.state}
          empty={threads.view === MAIN ? <Empty missing={data.missing} server={server} /> : <EmptyThread />}
          moreHistory={threads.moreHistory}
          onQuote={quote}
          foundSeq={foundSeq}
          onFound={() => setFound(null)}
          onLong={dropOldest}
        />
      )}
      <Notice text={state.notice} />
      <StoppedLine state={state} />
      <LookLine look={state.look} server={server} />
      <ErrandSteps errands={state.errands} />
      <AskCard asks={state.asks} lookAsks={state.look?.question} server={server} />
      <Composer
        turns={threads.state.turns}
        server={server}
        isTemporary={state.isTemporary}
        obstacle={state.obstacle}
        quotedMessage={quotedMessage}
        onQuote={quote}
        along={subject.along}
        above={(parts) => <Above subject={subject} server={server} parts={parts} data={data} />}
      />
      <Announcer state={state} />
    </>
  )
}
