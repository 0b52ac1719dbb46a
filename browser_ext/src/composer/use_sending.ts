import type { RefObject } from 'preact'
import { useState } from 'preact/hooks'
import { sendCommand } from '../conversation/host'
import type { Message } from '../protocol.gen'
import { say } from '../say'
import type { Outcome } from '../state/panel_state'
import type { Along } from './along'
import type { Attaching } from './attachments'
import type { Mode } from './mode'
import type { Draft } from './use_draft'

/** The server answers this command; the mode itself is the composer's. */
const MODE_ORDER = /^\s*\/act\s+(on|off)\s*$/i

export interface Parts {
  field: RefObject<HTMLTextAreaElement | null>
  draft: Draft
  attaching: Attaching
  along: Along
  isTemporary: boolean
  mode: Mode
  quotedMessage: Message | null
  onQuote: (message: Message | null) => void
}

export interface Sending {
  canSend: boolean
  /** Whether nothing of the owner's waits to be sent, and nothing would go along. */
  isBare: boolean
  /** Why the last message was not sent, in words for the owner. */
  problem: string
  setProblem: (problem: string) => void
  show: (outcome: Outcome) => void
  send: () => Promise<void>
  /** Send words with all that goes along. */
  deliver: (text: string) => Promise<void>
}

/** Send the draft with all that goes along. The box is cleared when the message is stored on this side. */
export function useSending({
  field,
  draft,
  attaching,
  along,
  isTemporary,
  mode,
  quotedMessage,
  onQuote,
}: Parts): Sending {
  const [problem, setProblem] = useState('')
  const canSend = !along.isReading && (draft.text.trim() !== '' || attaching.files.length > 0)
  const show = (outcome: Outcome) => setProblem(outcome.ok ? '' : outcome.message)
  const clear = () => {
    onQuote(null)
    draft.bringBack()
    attaching.clear()
    along.clear()
  }
  const hasMore = attaching.files.length > 0 || !!along.page || !!along.thoughtId || !!quotedMessage
  const isBare = !along.isReading && draft.text.trim() === '' && !hasMore && !mode.isActing
  const send = async () => {
    if (canSend) await deliver(draft.text)
  }
  const deliver = async (text: string) => {
    draft.setText('')
    field.current?.focus() // not after sending: the owner may have moved on by then
    const outcome = await sendCommand({
      type: 'send',
      text: text.trim() ? text : say('files_question'),
      ...(along.page && { page: along.page }),
      ...(along.thoughtId && { thought_id: along.thoughtId }),
      ...(quotedMessage && { parent_id: quotedMessage.id }),
      ...(attaching.files.length > 0 && { attachments: attaching.files }),
      ...(isTemporary && { temporary: true }),
      ...(mode.isActing && { mode: 'act' as const, ...(along.tab && { tab: along.tab }) }),
    })
    show(outcome)
    if (outcome.ok) {
      const order = MODE_ORDER.exec(text)
      if (order) mode.switchTo(order[1]?.toLowerCase() === 'on')
      clear()
    } else draft.setText((since) => (since ? `${text}\n${since}` : text))
  }
  return { canSend, isBare, problem, setProblem, show, send, deliver }
}
