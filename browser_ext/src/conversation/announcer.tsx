import { useEffect, useRef, useState } from 'preact/hooks'
import type { PanelState } from '../state/panel_state'
import type { Message } from '../protocol.gen'
import { say } from '../say'
import { questionOf } from '../own_pages/words'

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
  const ask = state.asks[0]
  useEffect(() => {
    if (ask) setWords(ask.type === 'grant.ask' ? say(questionOf(ask), ask.host) : ask.text)
  }, [ask?.request_id])
  return (
    <p class="unseen" aria-live="polite">
      {words}
    </p>
  )
}

function spokenText(message: Message): string {
  return say('penny_says', message.text.slice(0, MOST_CHARACTERS))
}
