import { useRef, useState } from 'preact/hooks'
import { FirstRun } from '../own_pages/first_run'
import type { CurrentSettings } from '../own_pages/purpose'
import { say } from '../say'

export function Introduction({ settings }: { settings: CurrentSettings }) {
  const [isShown, show] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const over = () => {
    show(false)
    button.current?.focus()
  }
  return (
    <section class="part" aria-labelledby="introduction">
      <h2 id="introduction">{say('introduction')}</h2>
      <p>{say('introduction_lead')}</p>
      <button
        id="introduction-show"
        ref={button}
        type="button"
        class="button"
        aria-expanded={isShown}
        aria-controls="introduction-steps"
        onClick={() => show(!isShown)}
      >
        {say('introduction_show')}
      </button>
      <div id="introduction-steps">{isShown && <FirstRun settings={settings} onOver={over} />}</div>
    </section>
  )
}
