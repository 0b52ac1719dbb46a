import { useEffect, useRef, useState } from 'preact/hooks'
import { say } from '../say'
import { leftPage } from '../server/left_page'
import type { PanelState } from '../state/panel_state'
import { useOutcome } from '../own_pages/use_outcome'

export function Leave({ pairing }: { pairing: PanelState['pairing'] }) {
  const isPaired = pairing !== null
  const [isAsked, ask] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const words = say(isPaired ? 'leave_unpair' : 'leave_remove')
  const keep = () => {
    ask(false)
    button.current?.focus()
  }
  return (
    <section class="part" aria-labelledby="leave">
      <h2 id="leave">{say('leave')}</h2>
      <p>{say('leave_lead')}</p>
      {pairing && (
        <p>
          <a id="left-page" href={leftPage(pairing)} target="_blank" rel="noopener">
            {say('leave_brought')}
          </a>
        </p>
      )}
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
      <p id="sure">{say(isPaired ? 'leave_lost' : 'leave_gone')}</p>
      <button
        id="forget-confirm"
        type="button"
        class="button stop"
        aria-disabled={isBusy}
        onClick={() => void forget()}
      >
        {say('remove_everything')}
      </button>
      <button type="button" class="button quiet" ref={keep} onClick={onOver}>
        {say('keep_it')}
      </button>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
