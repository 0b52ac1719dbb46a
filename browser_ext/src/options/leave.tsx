import { useEffect, useRef, useState } from 'preact/hooks'
import { useOutcome } from './use_outcome'

export function Leave({ isPaired }: { isPaired: boolean }) {
  const [isAsked, ask] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const words = isPaired ? 'Unpair this browser and remove everything kept here' : 'Remove everything kept here'
  const keep = () => {
    ask(false)
    button.current?.focus()
  }
  return (
    <section class="part" aria-labelledby="leave">
      <h2 id="leave">Leave</h2>
      <p>
        The extension keeps its key, the newest messages, unsent ones, your draft and the list of sites. Your conversation and your sites
        stay with Penny, who lists this browser until you revoke it there.
      </p>
      <button
        id="forget"
        type="button"
        class="button stop"
        ref={button}
        aria-expanded={isAsked}
        aria-controls="forget-sure"
        onClick={() => ask(!isAsked)}
      >
        {words}
      </button>
      <div id="forget-sure">{isAsked && <Sure isPaired={isPaired} onOver={keep} />}</div>
    </section>
  )
}

function Sure({ isPaired, onOver }: { isPaired: boolean; onOver: () => void }) {
  const keep = useRef<HTMLButtonElement>(null)
  const { isBusy, problem, run } = useOutcome()
  useEffect(() => keep.current?.focus(), [])
  const forget = async () => {
    if (!(await run({ type: 'forget_everything' }))) return
    onOver()
    document.getElementById('title')?.focus()
  }
  return (
    <div role="group" aria-labelledby="sure" class="confirm" onKeyDown={(event) => event.key === 'Escape' && onOver()}>
      <p id="sure">
        {isPaired
          ? 'Messages that were not sent yet are lost. To come back, this browser is paired anew.'
          : 'What is kept here cannot be brought back.'}
      </p>
      <button id="forget-confirm" type="button" class="button stop" aria-disabled={isBusy} onClick={() => void forget()}>
        Remove everything
      </button>
      <button type="button" class="button quiet" ref={keep} onClick={onOver}>
        Keep it
      </button>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
