import { useEffect, useReducer, useState } from 'preact/hooks'
import { listenToBackground } from '../own_pages/background_link'
import { Mark } from '../own_pages/mark'
import { Notice } from '../conversation/notice'
import { StatusLine } from '../own_pages/status_line'
import { afterEvent, EMPTY_STATE, type PanelEvent, type PanelState } from '../state/panel_state'
import { say } from '../say'
import { Browser } from './browser'
import { History } from './history'
import { Keeping } from './keeping'
import { Kept } from './kept'
import { Leave } from './leave'
import { Look } from './look'
import { Shortcuts } from './shortcuts'
import { Sites } from './sites'
import { Skills } from './skills'

const PATIENCE_MS = 5_000

interface View {
  state: PanelState
  isLoaded: boolean
}

/** Ignore events of the conversation: they must not render this page again. */
function afterBackgroundEvent(view: View, event: PanelEvent): View {
  if (event.type !== 'state' && event.type !== 'change') return view
  return { state: afterEvent(view.state, event), isLoaded: view.isLoaded || event.type === 'state' }
}

export function App() {
  const [{ state, isLoaded }, take] = useReducer(afterBackgroundEvent, { state: EMPTY_STATE, isLoaded: false })
  useEffect(() => listenToBackground(take), [])
  return (
    <>
      <header class="top">
        <Mark size={24} />
        <h1 id="title" tabIndex={-1}>
          {say('sites_and_settings')}
        </h1>
      </header>
      {isLoaded ? <Loaded state={state} /> : <Loading />}
    </>
  )
}

function Loading() {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <main class="column" aria-busy={!isLate}>
      {isLate ? (
        <p class="note stop" role="alert">
          {say('options_late')}{' '}
          <button type="button" class="button" onClick={() => location.reload()}>
            {say('web_reload')}
          </button>
        </p>
      ) : (
        <p class="busy">{say('loading')}</p>
      )}
    </main>
  )
}

function Loaded({ state }: { state: PanelState }) {
  return (
    <>
      {state.pairing && <StatusLine state={state} />}
      <Notice text={state.notice} />
      <main class="column">
        {state.pairing ? <Paired state={state} /> : <Unpaired />}
        <Look />
        <Shortcuts />
        <Kept />
        <Leave pairing={state.pairing} />
      </main>
    </>
  )
}

function Paired({ state }: { state: PanelState }) {
  return (
    <>
      <Sites
        grants={state.grants.filter(({ capability }) => capability !== 'keep')}
        isConnected={state.connection.name === 'connected'}
        server={state.pairing?.server ?? ''}
      />
      <Skills server={state.pairing?.server ?? ''} />
      <Keeping
        keepMode={state.keepMode}
        grants={state.grants.filter(({ capability }) => capability === 'keep')}
        server={state.pairing?.server ?? ''}
      />
      <History history={state.history} server={state.pairing?.server ?? ''} />
      <Browser label={state.pairing?.label ?? ''} server={state.pairing?.server ?? ''} toolUse={state.toolUse} />
    </>
  )
}

function Unpaired() {
  return (
    <section class="part" aria-labelledby="unpaired">
      <h2 id="unpaired">{say('not_paired')}</h2>
      <p>{say('not_paired_help')}</p>
    </section>
  )
}
