import { useEffect, useRef, useState } from 'preact/hooks'
import { say, type Key } from '../say'
import { Buttons } from './buttons'
import { useOutcome } from './use_outcome'

const EXAMPLES: Key[] = ['first_example_machine', 'first_example_trains', 'first_example_keyboards']

/**
 * One question: what Penny should look for. She begins at once, or as soon as she is connected; everything else is
 * explained where it first appears.
 */
export function FirstRun({ isConnected, onOver }: { isConnected: boolean; onOver: () => void }) {
  const [like, setLike] = useState('')
  const [isWanted, setWanted] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { isBusy, problem, run } = useOutcome()
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (isWanted && isConnected) void start()
  }, [isWanted, isConnected])
  const start = async () => {
    setWanted(false)
    if (await run({ type: 'set_purpose', thinks: true, likes: [like.trim()] })) onOver()
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    if (like.trim()) setWanted(true)
    else field.current?.focus()
  }
  const take = (example: Key) => {
    setLike(say(example))
    field.current?.focus()
  }
  return (
    <section class="first-run" aria-labelledby="first-run">
      <form id="purpose" onSubmit={onSubmit} noValidate>
        <h2 id="first-run">
          <label for="likes">{say('first_question')}</label>
        </h2>
        <input
          id="likes"
          dir="auto"
          ref={field}
          class="field"
          maxLength={300}
          autocomplete="off"
          aria-describedby="first-lead"
          value={like}
          onInput={(event) => setLike(event.currentTarget.value)}
        />
        <div class="examples-row">
          {EXAMPLES.map((example) => (
            <button key={example} type="button" class="button" onClick={() => take(example)}>
              {say(example)}
            </button>
          ))}
        </div>
        <p id="first-lead" class="lead">
          {say('first_lead')}
        </p>
        <p class="problem" role="alert">
          {problem}
        </p>
        <Buttons>
          <button id="first-start" class="button primary" aria-disabled={isBusy || isWanted}>
            {say(isBusy || isWanted ? 'first_starting' : 'first_start')}
          </button>
          <button id="first-skip" type="button" class="button quiet" onClick={onOver}>
            {say('skip')}
          </button>
        </Buttons>
      </form>
    </section>
  )
}
