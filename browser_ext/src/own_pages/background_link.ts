// The link to the background: events arrive over a port, commands go out and are answered.
import { browser } from 'wxt/browser'
import { PANEL_PORT, type Outcome, type PanelCommand, type PanelEvent } from '../state/panel_state'
import { say } from '../say'
import { takeEarly, type Port } from './early_port'

const RETRY_MS = 300

/**
 * Listen until the returned function is called. The port ends with Chrome's worker; a new port starts the worker again.
 */
export function listenToBackground(listener: (event: PanelEvent) => void): () => void {
  let isWanted = true
  let port: Port
  const connect = () => {
    if (!isWanted) return
    port = takeEarly(listener) ?? newPort(listener)
    port.onDisconnect.addListener(() => setTimeout(connect, RETRY_MS))
  }
  connect()
  return () => {
    isWanted = false
    port.disconnect()
  }
}

function newPort(listener: (event: PanelEvent) => void): Port {
  const port = browser.runtime.connect({ name: PANEL_PORT })
  port.onMessage.addListener(listener)
  return port
}

export async function sendCommand(request: PanelCommand): Promise<Outcome> {
  try {
    const outcome: Outcome | undefined = await browser.runtime.sendMessage(request)
    return outcome ?? { ok: false, message: say('no_extension_answer') }
  } catch (failure) {
    console.error('Penny: the background did not answer', failure)
    return { ok: false, message: say('extension_restarted') }
  }
}
