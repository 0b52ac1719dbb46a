import { useEffect, useRef, useState } from 'preact/hooks'
import type { Ask } from '../state/asks'
import type { ApprovalChoice, GrantChoice } from '../state/panel_state'
import { say, sayCount, sayWith, type Key } from '../say'
import { ActDetails, headingOf } from './act_details'
import { Answered, canBeUndone, type Given } from './answered'
import { sendCommand } from './host'
import { letterOf } from './letter'
import { OwnAnswer } from './own_answer'
import { useUnexpired } from './use_unexpired'
import { askedName, questionOf } from './words'

/**
 * How long the buttons stay disabled after a question replaced another one. A second click on the first question must
 * not answer the second.
 */
const GUARD_MS = 400

type Answer = [choice: GrantChoice | ApprovalChoice, label: Key, look?: string]

const GRANT_ANSWERS: Answer[] = [
  ['always', 'ask_always', 'primary'],
  ['once', 'ask_once'],
  ['dismiss', 'ask_not_now'],
]
const MORE_ANSWERS: Answer[] = [
  ['hour', 'ask_hour', 'quiet'],
  ['run', 'ask_run', 'quiet'],
  ['always_clean', 'ask_always_clean', 'quiet'],
  ['block', 'ask_block', 'stop'],
]
const APPROVAL_ANSWERS: Answer[] = [
  ['allow', 'ask_allow', 'primary'],
  ['dismiss', 'ask_not_now'],
]
/** Yes to an act is no answer to give in passing: neither the first button nor a key. */
const ACT_ANSWERS: Answer[] = [
  ['dismiss', 'ask_not_now', 'primary'],
  ['allow', 'act_approve'],
]
const QUESTION_ANSWERS: Answer[] = [['dismiss', 'ask_no_answer', 'quiet']]
/** Answers by key. They act only while the question has the focus. */
const GRANT_KEYS: Record<string, GrantChoice> = { a: 'always', o: 'once', n: 'dismiss', escape: 'dismiss' }
const APPROVAL_KEYS: Record<string, ApprovalChoice> = { a: 'allow', n: 'dismiss', escape: 'dismiss' }
const NO_KEYS: Record<string, ApprovalChoice> = { escape: 'dismiss' }

interface AskCardProps {
  asks: Ask[]
  /** What the search waits for that the owner just started. It is asked like a question of the talk. */
  lookAsks?: string | null
  server: string
}

/**
 * Shows one question of the talk at a time. It takes no focus, and no click that was meant for the question before. The
 * questions of background work are a line that leads to them.
 */
export function AskCard({ asks, lookAsks, server }: AskCardProps) {
  const open = useUnexpired(asks)
  const waiting = open.filter((ask) => !ask.is_background || ask.request_id === lookAsks)
  const later = open.length - waiting.length
  const lastAsk = useRef({ id: '', changedAt: 0 })
  const ask = waiting[0]
  const id = ask?.request_id ?? ''
  if (lastAsk.current.id !== id)
    lastAsk.current = { id, changedAt: lastAsk.current.id ? Date.now() : lastAsk.current.changedAt }
  const [lastAnswer, setLastAnswer] = useState<Given | null>(null)
  const onAnswered = (answer: Given) => {
    if (canBeUndone(answer)) setLastAnswer(answer)
    if (waiting.length === 1) document.getElementById('composer')?.focus()
  }
  return (
    <>
      {later > 0 && <Later count={later} server={server} />}
      <Answered key={lastAnswer?.ask.request_id} answer={lastAnswer} onOver={() => setLastAnswer(null)} />
      {ask && (
        <Question
          key={ask.request_id}
          ask={ask}
          waiting={waiting.length}
          changedAt={lastAsk.current.changedAt}
          onAnswered={onAnswered}
        />
      )}
    </>
  )
}

function Later({ count, server }: { count: number; server: string }) {
  const words = sayCount('ask_background', count)
  return (
    <section class="later" aria-label={words}>
      <span>{words}</span>
      <a
        id="answer-later"
        href={`${server}/activity/`}
        target={isOwnSite(server) ? undefined : '_blank'}
        rel="noopener"
      >
        {say('ask_background_answer')}
      </a>
    </section>
  )
}

/** Whether the page that shows the conversation is one of the site. */
function isOwnSite(server: string): boolean {
  return server.startsWith(location.origin)
}

interface QuestionProps {
  ask: Ask
  waiting: number
  changedAt: number
  onAnswered: (answer: Given) => void
}

function Question({ ask, waiting, changedAt, onAnswered }: QuestionProps) {
  const [isGuarded, setGuarded] = useState(isAboutPage(ask) || Date.now() - changedAt < GUARD_MS)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setGuarded(false), GUARD_MS)
    return () => clearTimeout(timer)
  }, [])
  const answer = async (choice: string, words?: string) => {
    const outcome = await sendCommand(answerOf(ask, choice, words))
    if (outcome.ok) onAnswered({ ask, choice })
    else setProblem(outcome.message)
  }
  const [isMore, setMore] = useState(false)
  const [answers, keys] = waysToAnswer(ask)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isGuarded) return
    const choice = keys[letterOf(event)]
    if (choice) void answer(choice)
  }
  const button = ([choice, label, look = '']: Answer) => (
    <button
      key={choice}
      type="button"
      class={`button ${look}`}
      data-decision={choice}
      disabled={isGuarded}
      onClick={() => void answer(choice)}
    >
      {say(label)}
    </button>
  )
  return (
    <section
      class="ask"
      role="dialog"
      aria-modal="false"
      aria-labelledby="ask-question"
      aria-describedby="ask-reason"
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <Words ask={ask} />
      {problem && <p class="problem">{problem}</p>}
      {ask.type === 'approval.ask' && ask.question && (
        <OwnAnswer
          options={ask.question.options}
          isGuarded={isGuarded}
          onAnswer={(words) => void answer('allow', words)}
        />
      )}
      <div class="buttons">
        {answers.map(button)}
        {ask.type === 'grant.ask' && (
          <button
            type="button"
            class="button quiet"
            data-action="more-answers"
            aria-label={say('ask_more_answers')}
            title={say('ask_more_answers')}
            aria-expanded={isMore}
            onClick={() => setMore(!isMore)}
          >
            <span aria-hidden="true">⋯</span>
          </button>
        )}
      </div>
      {isMore && <div class="buttons">{MORE_ANSWERS.filter(isOffered(ask)).map(button)}</div>}
      {waiting > 1 && <p class="more">{sayCount('ask_more', waiting - 1)}</p>}
    </section>
  )
}

/** The tab in front shows the owner's logins: acting without them is no answer there. */
function isOffered(ask: Ask) {
  return ([choice]: Answer) => choice !== 'always_clean' || ask.type !== 'grant.ask' || ask.capability !== 'act'
}

function Words({ ask }: { ask: Ask }) {
  if (ask.type === 'approval.ask' && ask.details) {
    return (
      <>
        <h2 id="ask-question" class="question">
          {headingOf(ask.details)}
        </h2>
        <ActDetails details={ask.details} />
      </>
    )
  }
  if (ask.type === 'approval.ask' && ask.question) {
    return (
      <>
        <h2 id="ask-question" class="question">
          {say('ask_from_page', ask.question.host)}
        </h2>
        <p id="ask-reason" dir="auto">
          {ask.text}
        </p>
      </>
    )
  }
  if (ask.type === 'approval.ask') {
    return (
      <p id="ask-question" class="question" dir="auto">
        {ask.text}
      </p>
    )
  }
  return (
    <>
      <p id="ask-question" class="question">
        {sayWith(questionOf(ask), <b>{askedName(ask)}</b>)}
      </p>
      <p id="ask-reason" class="reason">
        {askedName(ask) !== ask.host && `${ask.host} · `}
        {ask.reason}{' '}
        {say(ask.capability === 'act' ? 'ask_act_means' : ask.is_background ? 'ask_without_login' : 'ask_with_login')}
      </p>
    </>
  )
}

/** Whether a page has a hand in what is asked. */
function isAboutPage(ask: Ask): boolean {
  return ask.type === 'approval.ask' && !!(ask.details || ask.question)
}

function waysToAnswer(ask: Ask): [Answer[], Record<string, string>] {
  if (ask.type === 'grant.ask') return [GRANT_ANSWERS, GRANT_KEYS]
  if (ask.question) return [QUESTION_ANSWERS, NO_KEYS]
  return ask.details ? [ACT_ANSWERS, NO_KEYS] : [APPROVAL_ANSWERS, APPROVAL_KEYS]
}

function answerOf(ask: Ask, choice: string, words?: string) {
  const { request_id } = ask
  return ask.type === 'grant.ask'
    ? ({ type: 'answer_grant', request_id, choice: choice as GrantChoice } as const)
    : ({ type: 'answer_approval', request_id, choice: choice as ApprovalChoice, ...(words && { words }) } as const)
}
