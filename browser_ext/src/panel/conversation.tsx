import { useMemo } from 'preact/hooks'
import { pageOf, questionToRetry, reactionsIn } from '../conversation'
import type { PanelState } from '../panel_state'
import type { Message } from '../protocol.gen'
import type { Unsent } from '../stored'
import { Empty } from './empty'
import { MessageItem } from './message_item'
import { TurnItem } from './turn_item'
import { UnsentItem } from './unsent_item'
import { useOlder } from './use_older'
import { useStickyScroll } from './use_sticky_scroll'
import { dayOf } from './words'

export function Conversation({ state, moreHistory }: { state: PanelState; moreHistory: boolean }) {
  const { messages, unsent, turns, pairing } = state
  const isConnected = state.connection.name === 'connected'
  const answered = useMemo(() => answeredTurns(messages), [messages])
  const running = turns.filter((turn) => !answered.has(turn.turn_id))
  const { list, isAtBottom, toBottom, onScroll } = useStickyScroll()
  const older = useOlder(list, messages[0]?.seq, moreHistory)
  const items = useMemo(() => withDays(messages, unsent, isConnected, pairing), [messages, unsent, isConnected, pairing])
  const isEmpty = messages.length + unsent.length + running.length === 0
  return (
    <main class="conversation">
      <ol id="log" class="log" ref={list} aria-label="Conversation" tabIndex={0} onScroll={() => (onScroll(), older.onScroll())}>
        {isEmpty && <Empty />}
        {older.isLoading && <li class="busy">Loading older messages</li>}
        {!isEmpty && !older.hasMore && <li class="day">Your conversation begins here</li>}
        {items}
        {unsent.map((entry) => (
          <UnsentItem key={entry.turn_id} entry={entry} isConnected={isConnected} />
        ))}
        {running.map((turn) => (
          <TurnItem key={turn.turn_id} turn={turn} />
        ))}
      </ol>
      {!isAtBottom && (
        <button id="newest" type="button" class="button newest" onClick={toBottom}>
          To the newest
        </button>
      )}
    </main>
  )
}

function answeredTurns(messages: Message[]): Set<string> {
  const answers = messages.filter((message) => message.direction === 'out')
  return new Set(answers.flatMap((message) => message.turn_id ?? []))
}

/** Memoised as a whole: a streaming answer must not render two hundred messages again with every word. */
function withDays(messages: Message[], unsent: Unsent[], isConnected: boolean, pairing: PanelState['pairing']) {
  const now = new Date()
  const reactions = reactionsIn(messages)
  return messages.flatMap((message, index) => {
    const day = dayOf(message.created_at, now)
    const before = messages[index - 1]
    const isNewDay = !before || dayOf(before.created_at, now) !== day
    const isOpen = questionToRetry(messages, message) && !unsent.some((entry) => entry.turn_id === message.id)
    const page = message.direction === 'in' ? pageOf(messages, message) : null
    const about = { page, reaction: reactions.get(message.thought_id ?? ''), isConnected }
    const known = { server: pairing?.server ?? '', ownLabel: pairing?.label ?? '' }
    const item = <MessageItem key={message.id} message={message} {...known} {...about} canAskAgain={!!isOpen} />
    return isNewDay ? [<li key={`day-${message.id}`} class="day">{day}</li>, item] : [item]
  })
}
