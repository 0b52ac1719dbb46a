import type { Message, Receipt } from '../../protocol.gen'
import { say, sayCount } from '../../say'
import { clockOf, dateOf } from '../words'

/** What an answer took, as a link to how it was answered. */
export function ReceiptLine({ message, server }: { message: Message; server: string }) {
  const { receipt, turn_id } = message
  if (!receipt) return null
  const words = receiptWords(receipt).join(' · ')
  return (
    <p class="receipt">
      {turn_id && !message.temporary ? (
        <a href={`${server}/turns/${turn_id}/`} target="_blank" rel="noopener" title={say('act_how')}>
          {words}
        </a>
      ) : (
        words
      )}
    </p>
  )
}

/** That the conversation before a moment was not seen for an answer. The server says it once in a conversation. */
export function UnseenLine({ message, now = new Date() }: { message: Message; now?: Date }) {
  const before = message.receipt?.unseen_before
  if (!before) return null
  const isToday = new Date(before).toDateString() === now.toDateString()
  return (
    <p class="receipt">
      {isToday ? say('unseen_before_clock', clockOf(before)) : say('unseen_before_day', dateOf(before, now))}
    </p>
  )
}

function receiptWords({ sites, searches, acts = 0, sent_to, cost }: Receipt): string[] {
  const isAllHere = sent_to.length === 0 && searches === 0 && acts === 0
  return [
    sites ? sayCount('receipt_sites', sites) : '',
    acts ? sayCount('receipt_acts', acts) : '',
    searches ? sayCount('receipt_searches', searches) : '',
    sent_to.length ? say('receipt_sent', sent_to.join(', ')) : '',
    isAllHere ? say('receipt_here') : '',
    cost && say('receipt_cost', cost),
  ].filter(Boolean)
}
