// What Penny does on a page, step by step, and the owner's hand on it.
import { useEffect, useRef, useState } from 'preact/hooks'
import { say, sayCount, type Key } from '../say'
import type { Errand } from '../state/errands'
import { sendCommand } from './host'

const SPOKEN_EVERY_MS = 1_000
const TWICE_MS = 1_000
/** What the owner is to do where they have the page. */
const TASKS: Partial<Record<string, Key>> = {
  sign_in: 'errand_sign_in',
  credential: 'errand_sign_in',
  new_password: 'errand_sign_in',
  captcha: 'errand_captcha',
  payment: 'errand_payment',
}

export function ErrandSteps({ errands }: { errands: Errand[] }) {
  const errand = errands.at(-1)
  useEscapeTwice(errand)
  return errand ? <Steps key={errand.id} errand={errand} /> : null
}

function Steps({ errand }: { errand: Errand }) {
  const [problem, setProblem] = useState('')
  const isPaused = errand.state === 'paused'
  const isWaiting = errand.state === 'waiting' // the question stands below
  const line = isPaused ? say(TASKS[errand.code] ?? 'errand_paused') : errand.line || say('errand_begins')
  const steer = (act: 'stop' | 'take_over' | 'hand_back') => () =>
    void sendCommand({ type: 'steer', errand_id: errand.id, act }).then((outcome) =>
      setProblem(outcome.ok ? '' : outcome.message),
    )
  return (
    <section class={`errand ${errand.state}`} aria-label={say('errand_on', errand.host)}>
      <p class="head">
        <b>{errand.host}</b> <span>{say('errand_step', errand.steps, errand.steps_max)}</span>
      </p>
      {errand.goal && !isWaiting && <p class="goal">{errand.goal}</p>}
      {!isWaiting && <p class={isPaused ? 'now' : 'busy'}>{line}</p>}
      <Spoken words={line} />
      {problem && <p class="problem">{problem}</p>}
      {errand.lines.length > 1 && !isWaiting && (
        <details class="steps">
          <summary>{sayCount('steps', errand.lines.length)}</summary>
          <ol>
            {errand.lines.map((text, place) => (
              <li key={place}>{text}</li>
            ))}
          </ol>
        </details>
      )}
      <div class="buttons">
        {isPaused ? (
          <button type="button" class="button primary" data-steer="hand_back" onClick={steer('hand_back')}>
            {say('errand_hand_back')}
          </button>
        ) : (
          <button type="button" class="button" data-steer="take_over" onClick={steer('take_over')}>
            {say('errand_take_over')}
          </button>
        )}
        <button
          type="button"
          class="button stop"
          data-steer="stop"
          title={say('errand_stop_keys')}
          onClick={steer('stop')}
        >
          {say('errand_stop')}
        </button>
      </div>
    </section>
  )
}

/** Read out at most once a second: then what stands there by now. */
function Spoken({ words }: { words: string }) {
  const [text, setText] = useState(words)
  const last = useRef(Date.now())
  useEffect(() => {
    const speak = () => {
      last.current = Date.now()
      setText(words)
    }
    const timer = setTimeout(speak, Math.max(0, last.current + SPOKEN_EVERY_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [words])
  return (
    <span class="unseen" aria-live="polite">
      {text}
    </span>
  )
}

/** Escape stops an errand, pressed twice: once closes what is open. */
function useEscapeTwice(errand: Errand | undefined): void {
  const open = useRef(errand)
  open.current = errand
  useEffect(() => {
    let pressedAt = 0
    const onKeyDown = ({ key, repeat }: KeyboardEvent) => {
      if (key !== 'Escape' || repeat || !open.current) return
      const isSecond = Date.now() - pressedAt < TWICE_MS
      pressedAt = isSecond ? 0 : Date.now()
      if (isSecond) void sendCommand({ type: 'steer', errand_id: open.current.id, act: 'stop' })
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
