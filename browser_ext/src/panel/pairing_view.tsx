import { useEffect, useRef, useState } from 'preact/hooks'
import type { PanelState } from '../state/panel_state'
import { say, sayWith } from '../say'
import { sendCommand } from '../own_pages/background_link'
import { Mark } from '../own_pages/mark'
import { browserLabel } from './this_browser'

const USUAL_SERVER = 'http://127.0.0.1:8787'

export function PairingView({ state }: { state: PanelState }) {
  const isRevoked = state.pairing !== null
  return (
    <main class="pairing">
      <Mark size={48} />
      <h1>{say(isRevoked ? 'pair_anew' : 'meet')}</h1>
      <p>{say(isRevoked ? 'pair_anew_lead' : 'meet_lead')}</p>
      <PairingForm server={state.pairing?.server ?? USUAL_SERVER} label={state.pairing?.label} />
      <p class="hint">{sayWith('pair_hint', <b>{say('setup_page')}</b>)}</p>
    </main>
  )
}

function PairingForm({ server, label }: { server: string; label: string | undefined }) {
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.target instanceof HTMLFormElement) || isBusy) return
    setBusy(true)
    setProblem('')
    const outcome = await sendCommand({ type: 'pair', ...formOf(event.target) })
    setBusy(false)
    if (!outcome.ok) setProblem(outcome.message)
  }
  return (
    <form id="pairing" onSubmit={(event) => void onSubmit(event)} noValidate>
      <CodeField problem={problem} />
      <label for="label">{say('browser_name')}</label>
      <input
        id="label"
        name="label"
        class="field"
        maxLength={64}
        autocomplete="off"
        defaultValue={label ?? browserLabel(navigator.userAgent)}
      />
      <label for="server">{say('server_address')}</label>
      <input
        id="server"
        name="server"
        class="field"
        inputMode="url"
        autocomplete="off"
        spellcheck={false}
        defaultValue={server}
      />
      <p id="problem" class="problem" role="alert">
        {problem}
      </p>
      <button id="pair" class="button primary" aria-disabled={isBusy}>
        {say(isBusy ? 'pairing' : 'pair')}
      </button>
    </form>
  )
}

function CodeField({ problem }: { problem: string }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [problem])
  return (
    <>
      <label for="code">{say('pair_code')}</label>
      <input
        id="code"
        name="code"
        ref={field}
        class="field code"
        inputMode="numeric"
        autocomplete="one-time-code"
        placeholder="1234 5678"
        aria-invalid={problem !== ''}
        aria-describedby="problem"
      />
    </>
  )
}

function formOf(form: HTMLFormElement): { server: string; code: string; label: string } {
  const fields = new FormData(form)
  const text = (name: string) => {
    const value = fields.get(name)
    return typeof value === 'string' ? value : ''
  }
  return { server: text('server'), code: text('code'), label: text('label') }
}
