import { useEffect, useRef, useState } from 'preact/hooks'
import type { Ask } from '../state/asks'
import type { PanelState } from '../state/panel_state'
import type { Message } from '../protocol.gen'
import { say } from '../say'
import { headingOf } from './act_details'
import { plainText } from './text/plain_text'
import { askedName, questionOf } from './words'

const MOST_CHARACTERS = 400

/**
 * Announces finished messages and new questions to a screen reader, once each. The streaming text would only stutter.
 */
export function Announcer({ state }: { state: PanelState }) {
  const [words, setWords] = useState('')
  const lastSeq = useRef(state.messages.at(-1)?.seq ?? 0)
  const newest = state.messages.at(-1)
  useEffect(() => {
    if (!newest || newest.seq <= lastSeq.current) return
    lastSeq.current = newest.seq
    if (newest.direction === 'out') setWords(spokenText(newest))
  }, [newest])
  const inPassing = state.temporary.at(-1)
  useEffect(() => {
    if (inPassing) setWords(spokenText(inPassing.answer))
  }, [inPassing?.turn_id])
  const ask = state.asks.find((open) => !open.is_background)
  useEffect(() => {
    if (ask) setWords(ask.type === 'grant.ask' ? say(questionOf(ask), askedName(ask)) : spokenAsk(ask))
  }, [ask?.request_id])
  return (
    <p class="unseen" aria-live="polite">
      {words}
    </p>
  )
}

function spokenAsk({ text, question, details }: Extract<Ask, { type: 'approval.ask' }>): string {
  if (details) return headingOf(details)
  return question ? `${say('ask_from_page', question.host)} ${text}` : text
}

/** The words alone: the address of a link would be read out letter by letter. */
function spokenText({ html }: Message): string {
  return say('penny_says', plainText(html).slice(0, MOST_CHARACTERS))
}
