import { useEffect, useRef, useState } from 'preact/hooks'
import { GUARD_MS } from '../../../penny_site/static/penny/chat/answer_guard.js'
import { nextExpiryMs, openAsks, type Ask } from '../state/asks'
import type { ApprovalChoice, GrantChoice } from '../state/panel_state'
import { say, sayCount, sayWith, type Key } from '../say'
import { sendCommand } from '../own_pages/background_link'
import { questionOf } from '../own_pages/words'

const GRANT_BUTTONS: [GrantChoice, Key, string][] = [
  ['once', 'ask_once', 'primary'],
  ['run', 'ask_run', ''],
  ['hour', 'ask_hour', ''],
  ['always', 'ask_always', ''],
  ['block', 'ask_block', ''],
  ['dismiss', 'ask_not_now', 'quiet'],
]
const APPROVAL_BUTTONS: [ApprovalChoice, Key, string][] = [
  ['allow', 'ask_allow', 'primary'],
  ['deny', 'ask_deny', ''],
  ['dismiss', 'ask_not_now', 'quiet'],
]

/** Shows one question at a time. It takes no focus, and no click that was meant for the question before. */
export function AskCard({ asks }: { asks: Ask[] }) {
  const waiting = useUnexpired(asks)
  const lastAsk = useRef({ id: '', changedAt: 0 })
  const ask = waiting[0]
  const id = ask?.request_id ?? ''
  if (lastAsk.current.id !== id)
    lastAsk.current = { id, changedAt: lastAsk.current.id ? Date.now() : lastAsk.current.changedAt }
  if (!ask) return null
  const onAnswered = () => {
    if (waiting.length === 1) document.getElementById('composer')?.focus()
  }
  return (
    <Question
      key={ask.request_id}
      ask={ask}
      waiting={waiting.length}
      changedAt={lastAsk.current.changedAt}
      onAnswered={onAnswered}
    />
  )
}

function useUnexpired(asks: Ask[]): Ask[] {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const wait = nextExpiryMs(openAsks(asks, Date.now()), Date.now())
    const timer = wait === null ? undefined : setTimeout(() => setNow(Date.now()), wait + 50)
    return () => clearTimeout(timer)
  }, [asks, now])
  return openAsks(asks, Math.max(now, Date.now()))
}

interface QuestionProps {
  ask: Ask
  waiting: number
  changedAt: number
  onAnswered: () => void
}

function Question({ ask, waiting, changedAt, onAnswered }: QuestionProps) {
  const [isGuarded, setGuarded] = useState(Date.now() - changedAt < GUARD_MS)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setGuarded(false), GUARD_MS)
    return () => clearTimeout(timer)
  }, [])
  const answer = async (choice: string) => {
    const outcome = await sendCommand(answerOf(ask, choice))
    if (outcome.ok) onAnswered()
    else setProblem(outcome.message)
  }
  const onKeyDown = (event: KeyboardEvent) => void (event.key === 'Escape' && answer('dismiss'))
  return (
    <section
      class="ask"
      role="dialog"
      aria-modal="false"
      aria-labelledby="ask-question"
      aria-describedby="ask-reason"
      onKeyDown={onKeyDown}
    >
      <Words ask={ask} />
      {problem && <p class="problem">{problem}</p>}
      <div class="buttons">
        {buttonsOf(ask).map(([choice, label, look]) => (
          <button
            type="button"
            class={`button ${look}`}
            data-decision={choice}
            disabled={isGuarded}
            onClick={() => void answer(choice)}
          >
            {say(label)}
          </button>
        ))}
      </div>
      {waiting > 1 && <p class="more">{sayCount('ask_more', waiting - 1)}</p>}
    </section>
  )
}

function Words({ ask }: { ask: Ask }) {
  if (ask.type === 'approval.ask') {
    return (
      <p id="ask-question" class="question">
        {ask.text}
      </p>
    )
  }
  return (
    <>
      <p id="ask-question" class="question">
        {sayWith(questionOf(ask), <b>{ask.host}</b>)}
      </p>
      <p id="ask-reason" class="reason">
        {ask.reason}
      </p>
    </>
  )
}

function buttonsOf(ask: Ask): [string, Key, string][] {
  return ask.type === 'grant.ask' ? GRANT_BUTTONS : APPROVAL_BUTTONS
}

function answerOf(ask: Ask, choice: string) {
  const { request_id } = ask
  return ask.type === 'grant.ask'
    ? ({ type: 'answer_grant', request_id, choice: choice as GrantChoice } as const)
    : ({ type: 'answer_approval', request_id, choice: choice as ApprovalChoice } as const)
}
