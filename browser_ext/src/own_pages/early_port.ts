// What the panel needs first, and asks for before its own script is loaded: a port to the background, whose events are
// stored until that script takes the port, and what lies in the storage.
import { browser } from 'wxt/browser'
import { PANEL_PORT, type PanelEvent } from '../state/panel_state'

export type Port = ReturnType<typeof browser.runtime.connect>

interface EarlyPort {
  port: Port
  events: PanelEvent[]
  store: (event: PanelEvent) => void
  isOpen: boolean
}

type Stored = Record<string, unknown>
type Page = typeof globalThis & { pennyPort?: EarlyPort; pennyStored?: Promise<Stored> }

/** Of state/stored.ts: without these the panel draws nothing. */
const STORED = ['view', 'read_to']

export function openEarly(): void {
  const stored = browser.storage.local.get<Stored>(STORED)
  stored.catch(() => undefined) // whoever takes it handles the failure
  ;(globalThis as Page).pennyStored = stored
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

/**
 * Return a reading of an item of the storage. The first reading is that with which the page opened, if the panel asks
 * in time: the storage takes long to answer its first question.
 */
export function readEarly<Value>(item: { key: string; fallback: Value; getValue: () => Promise<Value> }) {
  let early = (globalThis as Page).pennyStored
  return async (): Promise<Value> => {
    const stored = await early?.catch(() => undefined)
    early = undefined
    return stored ? ((stored[item.key.replace(/^local:/, '')] ?? item.fallback) as Value) : item.getValue()
  }
}
