// A port to the background that is opened before the panel's own script runs, and keeps what comes until that takes it.
import { browser } from 'wxt/browser'
import { PANEL_PORT, type PanelEvent } from '../state/panel_state'

export type Port = ReturnType<typeof browser.runtime.connect>

interface EarlyPort {
  port: Port
  events: PanelEvent[]
  hear: (event: PanelEvent) => void
  isOpen: boolean
}

type Page = typeof globalThis & { pennyPort?: EarlyPort }

export function openEarly(): void {
  const events: PanelEvent[] = []
  const early = { port: browser.runtime.connect({ name: PANEL_PORT }), events, hear: (event: PanelEvent) => void events.push(event), isOpen: true }
  early.port.onMessage.addListener(early.hear)
  early.port.onDisconnect.addListener(() => (early.isOpen = false))
  ;(globalThis as Page).pennyPort = early
}

/** Returns the port, once, with what it brings now and brought before told to `listener`; null where there is none that is open. */
export function takeEarly(listener: (event: PanelEvent) => void): Port | null {
  const page: Page = globalThis
  const early = page.pennyPort
  delete page.pennyPort
  if (!early?.isOpen) return null
  early.port.onMessage.removeListener(early.hear)
  early.port.onMessage.addListener(listener)
  early.events.forEach(listener)
  return early.port
}
