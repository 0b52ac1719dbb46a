import type { ComponentChildren, VNode } from 'preact'
import { isKnownStopped } from './stopped'
import { useEffect, useMemo } from 'preact/hooks'
import { canGoOnWith, KEPT_MESSAGES, pageOf, questionToRetry, quotedBy, reactionsIn } from '../state/conversation'
import type { PanelState } from '../state/panel_state'
import type { Message } from '../protocol.gen'
import { say } from '../say'
import type { Unsent } from '../state/outbox'
import type { MessageProps } from './message/message_item'
import { Icon } from './icon'
import { Deleted } from './message/deleted'
import { Exchanges } from './message/temporary'
import { TurnItem } from './message/turn_item'
import { UnsentItem } from './message/unsent_item'
import { useDeletion } from './message/use_deletion'
import { useKeptItems } from './message/use_kept_items'
import { useFoundMessage } from './scrolling/use_found'
import { useNewestFirst } from './scrolling/use_newest_first'
import { useOlder } from './scrolling/use_older'
import { useStickyScroll } from './scrolling/use_sticky_scroll'
import { SPARE_MESSAGES } from './threads/view'
import { useRoving } from './use_roving'
import { dayOf } from './words'

interface ConversationProps {
  state: PanelState
  /** What an empty conversation shows. */
  empty: ComponentChildren
  moreHistory: boolean
  onQuote: (message: Message) => void
  /** `seq` of the message that the owner chose in the search, until it is in view. */
  foundSeq: number | null
  onFound: () => void
  /** More messages are held than anybody reads at the end. */
  onLong: () => void
}

export function Conversation({ state, empty, moreHistory, onQuote, foundSeq, onFound, onLong }: ConversationProps) {
  const { messages, unsent, turns, pairing } = state
  const isConnected = state.connection.name === 'connected'
  const isStopped = isKnownStopped(state)
  const turnsWithAnswer = useMemo(() => answeredTurns(messages), [messages])
  const running = turns.filter((turn) => !turnsWithAnswer.has(turn.turn_id))
  const turnsWithQuestion = useMemo(() => new Set(messages.map(({ turn_id }) => turn_id)), [messages])
  const { list, isAtBottom, following } = useStickyScroll()
  useRoving(list)
  const lastSaid = unsent.at(-1)?.turn_id
  useEffect(() => {
    if (lastSaid) following.toRest()
  }, [lastSaid])
  const first = useNewestFirst(list, messages.length, foundSeq !== null)
  const older = useOlder(list, messages[0]?.seq, { hasMore: moreHistory, isReady: isConnected && first === 0 })
  // after older messages kept the place of what was read: the message that is looked for is shown last
  useFoundMessage(list, messages, moreHistory, foundSeq, () => {
    following.leave()
    onFound()
  })
  const isLong = messages.length > KEPT_MESSAGES + SPARE_MESSAGES && isAtBottom && first === 0 && foundSeq === null
  useEffect(() => {
    if (isLong) onLong()
  }, [isLong])
  const deletion = useDeletion()
  const onDelete = state.threads ? deletion.remove : undefined
  const server = pairing?.server ?? ''
  const own = useMemo(() => ({ label: pairing?.label ?? '', device_id: pairing?.device_id ?? '' }), [pairing])
  const itemsOf = useKeptItems()
  // Memoised as a whole: with every streamed word hundreds of messages would render again.
  const items = useMemo(() => {
    const common = { server, own, isConnected, isStopped, onQuote, onDelete }
    const all = itemsOf(propsOf(messages, first, turnsWithAnswer, unsent, common))
    return <>{withDays(all, messages[first - 1])}</>
  }, [messages, first, unsent, isConnected, isStopped, own, onQuote, onDelete])
  const isEmpty = messages.length + unsent.length + running.length + state.temporary.length === 0
  return (
    <div class="conversation">
      <ol id="log" class="log" ref={list} aria-label={say('conversation')} tabIndex={0} onScroll={following.scrolled}>
        {isEmpty && <li class="empty">{empty}</li>}
        {older.hasMore && (
          <li ref={older.mark} class="older">
            {older.isLoading && <span class="busy">{say('conversation_older')}</span>}
          </li>
        )}
        {!isEmpty && !older.hasMore && <li class="day">{say('conversation_begins')}</li>}
        {items}
        <Exchanges exchanges={state.temporary} server={server} isConnected={isConnected} isStopped={isStopped} />
        {unsent.map((entry) => (
          <UnsentItem key={entry.turn_id} entry={entry} isConnected={isConnected} />
        ))}
        {running.map((turn) => (
          <TurnItem
            key={turn.turn_id}
            turn={turn}
            server={server}
            isNamed={turn.device_label !== own.label && !turnsWithQuestion.has(turn.turn_id)}
          />
        ))}
      </ol>
      <Deleted deletion={deletion} />
      {!isAtBottom && (
        <button
          id="newest"
          type="button"
          class="button newest"
          aria-label={say('conversation_newest')}
          title={say('conversation_newest')}
          onClick={following.toEnd}
        >
          <Icon path="M12 5v14M6 13l6 6 6-6" />
        </button>
      )}
    </div>
  )
}

function answeredTurns(messages: Message[]): Set<string> {
  const answers = messages.filter((message) => message.direction === 'out')
  return new Set(answers.flatMap((message) => message.turn_id ?? []))
}

type Common = Pick<MessageProps, 'server' | 'own' | 'isConnected' | 'isStopped' | 'onQuote' | 'onDelete'>

function propsOf(
  messages: Message[],
  first: number,
  turnsWithAnswer: ReadonlySet<string>,
  unsent: Unsent[],
  common: Common,
): MessageProps[] {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const reactions = reactionsIn(messages)
  return messages.slice(first).map((message) => {
    const isAskedAgain = unsent.some((entry) => entry.turn_id === message.id)
    return {
      message,
      page: pageOf(messages, message),
      quotedMessage: quotedBy(message, byId),
      reaction: reactions.get(message.thought_id ?? ''),
      isAnswered: turnsWithAnswer.has(message.turn_id ?? ''),
      canAskAgain: !!questionToRetry(messages, message) && !isAskedAgain,
      canGoOn: canGoOnWith(messages, message) && !isAskedAgain,
      ...common,
    }
  })
}

/** Put the day above the first message of each. `before`: the message before the first one. */
function withDays(items: VNode<MessageProps>[], before: Message | undefined) {
  const now = new Date()
  return items.flatMap((item, index) => {
    const { id, created_at } = item.props.message
    const day = dayOf(created_at, now)
    const above = index > 0 ? items[index - 1]?.props.message : before
    if (above && dayOf(above.created_at, now) === day) return [item]
    return [
      <li key={`day-${id}`} class="day">
        {day}
      </li>,
      item,
    ]
  })
}
