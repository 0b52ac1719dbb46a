import { useEffect, useReducer, useState } from 'preact/hooks'
import { listenToBackground } from '../panel/background_link'
import { Mark } from '../panel/mark'
import { StatusLine } from '../panel/status_line'
import { afterEvent, EMPTY_STATE, type PanelEvent, type PanelState } from '../panel_state'
import { Browser } from './browser'
import { History } from './history'
import { Leave } from './leave'
import { Sites } from './sites'

const PATIENCE_MS = 5_000

interface View {
  state: PanelState
  isLoaded: boolean
}

/** What is said in the conversation is none of this page's business, and draws nothing anew. */
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
          Sites and settings
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
          The extension does not answer. Reload this page; if that does not help, restart the browser.
        </p>
      ) : (
        <p class="busy">Loading</p>
      )}
    </main>
  )
}

function Loaded({ state }: { state: PanelState }) {
  return (
    <>
      {state.pairing && <StatusLine state={state} />}
      <main class="column">
        {state.pairing ? <Paired state={state} /> : <Unpaired />}
        <Leave isPaired={state.pairing !== null} />
      </main>
    </>
  )
}

function Paired({ state }: { state: PanelState }) {
  return (
    <>
      <Sites grants={state.grants} isConnected={state.connection.name === 'connected'} server={state.pairing?.server ?? ''} />
      <History history={state.history} server={state.pairing?.server ?? ''} />
      <Browser label={state.pairing?.label ?? ''} server={state.pairing?.server ?? ''} toolUse={state.toolUse} />
    </>
  )
}

function Unpaired() {
  return (
    <section class="part" aria-labelledby="unpaired">
      <h2 id="unpaired">This browser is not paired</h2>
      <p>Open Penny’s sidebar with her button in the toolbar and pair it there. Then this page shows which sites she may read.</p>
    </section>
  )
}
