import { useEffect, useRef, useState } from 'preact/hooks'
import { isLoopback } from '../grants/hosts'
import type { Outcome, PanelState } from '../state/panel_state'
import { say, sayWith } from '../say'
import { sendCommand } from '../own_pages/background_link'
import { Mark } from '../own_pages/mark'
import { Reconnect } from '../own_pages/status_line'
import { browserLabel } from './this_browser'
import { useOffer, type ShownOffer } from './use_offer'
import { useOpenPenny } from './use_open_penny'

const USUAL_SERVER = 'http://127.0.0.1:8787'

export function PairingView({ state }: { state: PanelState }) {
  const { offer, isLooking, look } = useOffer()
  const openPenny = useOpenPenny()
  const server = state.pairing?.server ?? openPenny ?? USUAL_SERVER
  const isRevoked = state.pairing !== null
  const label = state.pairing?.label ?? browserLabel(navigator.userAgent)
  return (
    <main class="pairing" aria-busy={isLooking}>
      <Mark size={48} />
      <h1>{say(isRevoked ? 'pair_anew' : 'meet')}</h1>
      <p>{say(isRevoked ? 'pair_anew_lead' : 'meet_lead')}</p>
      {isRevoked && <Reconnect />}
      {offer ? (
        <>
          <OfferForm key={offer.server} offer={offer} label={label} look={look} />
          <details>
            <summary>{say('offer_type')}</summary>
            <CodeForm server={offer.server} label={label} />
          </details>
        </>
      ) : (
        <>
          <CodeForm key={server} server={server} label={label} isFocused />
          <p class="hint">{sayWith('pair_hint', <b>{say('setup_page')}</b>)}</p>
          <button id="offer-look" type="button" class="button quiet" aria-disabled={isLooking} onClick={look}>
            {say('offer_look')}
          </button>
        </>
      )}
    </main>
  )
}

/** Nothing is sent to the address before the button is pressed. */
function OfferForm({ offer, label, look }: { offer: ShownOffer; label: string; look: () => void }) {
  const { tabId, server } = offer
  const { problem, isBusy, submit, forget } = useSubmit((fields) =>
    sendCommand({ type: 'pair_offered', tab_id: tabId, server, label: textIn(fields, 'label') }),
  )
  const connect = useRef<HTMLButtonElement>(null)
  const lookAgain = () => {
    forget()
    connect.current?.focus() // the button that has the focus goes
    look()
  }
  return (
    <form id="offer" onSubmit={submit} noValidate>
      <p id="offer-lead">{say('offer_lead')}</p>
      <p id="offer-address" class="address" dir="ltr">
        {server}
      </p>
      {!isLoopback(new URL(server)) && (
        <p id="offer-elsewhere" class="notice">
          {say('offer_elsewhere')}
        </p>
      )}
      <NameField id="offer-label" label={label} />
      <Problem id="offer-problem" text={problem} />
      <button id="connect" ref={connect} class="button primary" aria-disabled={isBusy} aria-describedby="offer-address">
        {say(isBusy ? 'offer_connecting' : 'offer_connect')}
      </button>
      {problem && (
        <button id="offer-again" type="button" class="button quiet" onClick={lookAgain}>
          {say('offer_look')}
        </button>
      )}
    </form>
  )
}

function CodeForm({ server, label, isFocused = false }: { server: string; label: string; isFocused?: boolean }) {
  const { problem, isBusy, submit } = useSubmit((fields) =>
    sendCommand({
      type: 'pair',
      server: textIn(fields, 'server'),
      code: textIn(fields, 'code'),
      label: textIn(fields, 'label'),
    }),
  )
  return (
    <form id="pairing" onSubmit={submit} noValidate>
      <CodeField problem={problem} isFocused={isFocused} />
      <NameField id="label" label={label} />
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
      <Problem id="problem" text={problem} />
      <button id="pair" class="button primary" aria-disabled={isBusy}>
        {say(isBusy ? 'pairing' : 'pair')}
      </button>
    </form>
  )
}

function useSubmit(send: (fields: FormData) => Promise<Outcome>) {
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.target instanceof HTMLFormElement) || isBusy) return
    setBusy(true)
    setProblem('')
    void send(new FormData(event.target)).then((outcome) => {
      setBusy(false)
      if (!outcome.ok) setProblem(outcome.message)
    })
  }
  return { problem, isBusy, submit, forget: () => setProblem('') }
}

function NameField({ id, label }: { id: string; label: string }) {
  return (
    <>
      <label for={id}>{say('browser_name')}</label>
      <input id={id} name="label" class="field" maxLength={64} autocomplete="off" defaultValue={label} />
    </>
  )
}

function Problem({ id, text }: { id: string; text: string }) {
  return (
    <p id={id} class="problem" role="alert">
      {text}
    </p>
  )
}

function CodeField({ problem, isFocused }: { problem: string; isFocused: boolean }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isFocused || problem) field.current?.focus()
  }, [problem])
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

function textIn(fields: FormData, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value : ''
}
