// A port to the background that opens before the panel's own script is loaded. It stores events until that script takes
// the port.
import { browser } from 'wxt/browser'
import { PANEL_PORT, type PanelEvent } from '../state/panel_state'

export type Port = ReturnType<typeof browser.runtime.connect>

interface EarlyPort {
  port: Port
  events: PanelEvent[]
  store: (event: PanelEvent) => void
  isOpen: boolean
}

type Page = typeof globalThis & { pennyPort?: EarlyPort }

export function openEarly(): void {
  const events: PanelEvent[] = []
  const early = {
    port: browser.runtime.connect({ name: PANEL_PORT }),
    events,
    store: (event: PanelEvent) => void events.push(event),
    isOpen: true,
  }
  early.port.onMessage.addListener(early.store)
  early.port.onDisconnect.addListener(() => (early.isOpen = false))
  ;(globalThis as Page).pennyPort = early
}

/** Return the port, once, and pass its stored and future events to `listener`. Null if no open port is there. */
export function takeEarly(listener: (event: PanelEvent) => void): Port | null {
  const page: Page = globalThis
  const early = page.pennyPort
  delete page.pennyPort
  if (!early?.isOpen) return null
  early.port.onMessage.removeListener(early.store)
  early.port.onMessage.addListener(listener)
  early.events.forEach(listener)
  return early.port
}
