import type { RefObject } from 'preact'
import { useState } from 'preact/hooks'
import { sendCommand } from '../own_pages/background_link'
import type { Message, Page } from '../protocol.gen'
import { say } from '../say'
import type { Outcome } from '../state/panel_state'
import type { Attaching } from './attachments'
import type { Draft } from './use_draft'
import type { Sharing } from './use_sharing'

export interface Parts {
  field: RefObject<HTMLTextAreaElement | null>
  draft: Draft
  sharing: Sharing
  attaching: Attaching
  passage: Page | null
  setPassage: (page: Page | null) => void
  isTemporary: boolean
  quotedMessage: Message | null
  onQuote: (message: Message | null) => void
}

export interface Sending {
  canSend: boolean
  isSummarising: boolean
  /** Why the last message was not sent, in words for the owner. */
  problem: string
  setProblem: (problem: string) => void
  send: () => Promise<void>
  /** Ask for a summary of a tab, by default the one beside the panel. */
  summarise: (tabId?: number) => Promise<void>
}

/** Send the draft with all that goes along. The box is cleared when the background has stored the message. */
export function useSending(parts: Parts): Sending {
  const { field, draft, sharing, attaching, passage, isTemporary, quotedMessage, onQuote } = parts
  const [isSummarising, setSummarising] = useState(false)
  const [problem, setProblem] = useState('')
  const isReading = sharing.isOn && !sharing.page
  const canSend = !isReading && (draft.text.trim() !== '' || attaching.files.length > 0)
  const along = isTemporary ? { temporary: true } : {}
  const page = passage ?? sharing.page
  const show = (outcome: Outcome) => setProblem(outcome.ok ? '' : outcome.message)
  const clear = () => {
    onQuote(null)
    draft.bringBack()
    parts.setPassage(null)
    attaching.clear()
    void sharing.include(false)
  }
  const send = async () => {
    if (!canSend) return
    const { text } = draft
    const reply = quotedMessage && { parent_id: quotedMessage.id }
    const files = attaching.files.length > 0 && { attachments: attaching.files }
    draft.setText('')
    field.current?.focus() // not after sending: the owner may have moved on by then
    const outcome = await sendCommand({
      type: 'send',
      text: text.trim() ? text : say('files_question'),
      ...(page && { page }),
      ...reply,
      ...files,
      ...along,
    })
    show(outcome)
    if (outcome.ok) clear()
    else draft.setText((since) => (since ? `${text}\n${since}` : text))
  }
  const summarise = async (tabId?: number) => {
    setSummarising(true)
    field.current?.focus()
    const reading = await sharing.readPage(tabId)
    show(
      reading.ok && reading.page
        ? await sendCommand({ type: 'send', text: say('summary'), page: reading.page, ...along })
        : reading,
    )
    setSummarising(false)
  }
  return { canSend, isSummarising, problem, setProblem, send, summarise }
}
