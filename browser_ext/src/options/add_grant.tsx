import { useRef, useState } from 'preact/hooks'
import type { GrantSet } from '../protocol.gen'
import { say, type Key } from '../say'
import { useOutcome } from '../own_pages/use_outcome'
import { CAPABILITIES, SESSIONS } from './words'

const { keep: _, ...ASKED_FOR } = CAPABILITIES

const DECISIONS = { allowed: 'decision_allow', blocked: 'decision_block' } as const
const SCOPES = { always: 'choose_always', hour: 'choose_hour' } as const

/** The server normalises or refuses the host. */
export function AddGrant({ announce }: { announce: (words: string) => void }) {
  const [host, setHost] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const { isBusy, problem, run } = useOutcome()
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.target instanceof HTMLFormElement)) return
    if (await run({ type: 'set_grant', grant: grantOf(event.target) })) {
      announce(say('grant_saved', host.trim()))
      setHost((current) => (current === host ? '' : current))
    }
    field.current?.focus()
  }
  return (
    <form id="add" class="add" onSubmit={(event) => void onSubmit(event)} noValidate>
      <div class="wide">
        <label for="grant-host">{say('grant_site')}</label>
        <input
          id="grant-host"
          name="host"
          ref={field}
          class="field"
          inputMode="url"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder="example.com"
          aria-invalid={problem !== ''}
          aria-describedby="add-problem"
          value={host}
          onInput={(event) => setHost(event.currentTarget.value)}
        />
      </div>
      <Choice name="state" label={say('grant_decision')} choices={DECISIONS} />
      <Choice name="capability" label={say('grant_for')} choices={ASKED_FOR} />
      <Choice name="session" label={say('grant_opened')} choices={SESSIONS} />
      <Choice name="scope" label={say('grant_how_long')} choices={SCOPES} />
      <button id="add-grant" class="button primary" aria-disabled={isBusy}>
        {say(isBusy ? 'saving' : 'add')}
      </button>
      <p id="add-problem" class="problem" role="alert">
        {problem}
      </p>
    </form>
  )
}

function Choice({ name, label, choices }: { name: string; label: string; choices: Record<string, Key> }) {
  return (
    <div>
      <label for={`grant-${name}`}>{label}</label>
      <select id={`grant-${name}`} name={name} class="field">
        {Object.entries(choices).map(([value, words]) => (
          <option key={value} value={value}>
            {say(words)}
          </option>
        ))}
      </select>
    </div>
  )
}

function grantOf(form: HTMLFormElement): Omit<GrantSet, 'type'> {
  return Object.fromEntries(new FormData(form)) as unknown as Omit<GrantSet, 'type'>
}
