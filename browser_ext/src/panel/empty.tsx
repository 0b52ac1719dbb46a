import { Examples } from '../conversation/examples'
import { FirstRun } from '../own_pages/first_run'
import { useIntroduced } from '../own_pages/use_introduced'
import type { PanelState } from '../state/panel_state'

/** The first run, and after it three examples to begin with. */
export function Empty({ state }: { state: PanelState }) {
  const [isIntroduced, setIntroduced] = useIntroduced()
  if (isIntroduced === null) return null
  if (isIntroduced || state.look) return <Examples hasModel={state.hasModel} hasBrowser={state.toolUse} />
  const onOver = () => {
    document.getElementById('composer')?.focus() // the field that has the focus goes
    setIntroduced()
  }
  return <FirstRun isConnected={state.connection.name === 'connected'} onOver={onOver} />
}
