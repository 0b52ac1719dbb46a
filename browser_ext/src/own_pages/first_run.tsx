import { useEffect, useRef, useState } from 'preact/hooks'
import { say, type Key } from '../say'
import { Buttons } from './buttons'
import { Purpose, type CurrentSettings } from './purpose'

const TITLES: Key[] = ['first_ask', 'first_page', 'first_purpose']

/** Three steps: what the owner can do here, and what Penny is for. Each step can be skipped. */
export function FirstRun({ settings, onOver }: { settings: CurrentSettings; onOver: () => void }) {
  const [step, setStep] = useState(0)
  const title = useRef<HTMLHeadingElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) title.current?.focus()
    isFirst.current = false
  }, [step])
  const back = step > 0 && <Quiet name="back" onClick={() => setStep(step - 1)} />
  const skip = <Quiet name="skip" onClick={onOver} />
  return (
    <section class="first-run" aria-labelledby="first-run">
      <p class="step">{say('step_of', step + 1, TITLES.length)}</p>
      <h2 id="first-run" ref={title} tabIndex={-1}>
        {say(TITLES[step] ?? 'first_purpose')}
      </h2>
      {step === 0 && <Words keys={['first_ask_write', 'first_ask_sites']} />}
      {step === 1 && <Words keys={['first_page_tick', 'first_page_look']} />}
      {step === 2 && (
        <Purpose settings={settings} onDone={onOver}>
          {back}
          {skip}
        </Purpose>
      )}
      {step < 2 && (
        <Buttons>
          <button id="first-next" type="button" class="button primary" onClick={() => setStep(step + 1)}>
            {say('next')}
          </button>
          {back}
          {skip}
        </Buttons>
      )}
    </section>
  )
}

function Words({ keys }: { keys: Key[] }) {
  return (
    <>
      {keys.map((key) => (
        <p key={key}>{say(key)}</p>
      ))}
    </>
  )
}

function Quiet({ name, onClick }: { name: 'back' | 'skip'; onClick: () => void }) {
  return (
    <button id={`first-${name}`} type="button" class="button quiet" onClick={onClick}>
      {say(name)}
    </button>
  )
}
