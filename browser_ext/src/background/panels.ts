// The open pages of this extension: the sidebar and the options page.
import { PANEL_PORT, type PanelEvent, type PanelState } from '../state/panel_state'
import { isOwnPage, type Port } from './own_pages'

export class Panels {
  readonly #ports = new Set<Port>()

  /** `onAllClosed`: no page of ours is open any more. */
  constructor(private readonly onAllClosed: () => void = () => undefined) {}

  tell(event: PanelEvent): void {
    this.#ports.forEach((port) => port.postMessage(event))
  }

  /** Accept the port of an own page, and send it the whole state first. */
  async welcome(port: Port, ready: Promise<void>, state: () => PanelState): Promise<void> {
    if (port.name !== PANEL_PORT || !isOwnPage(port.sender)) {
      port.disconnect()
      return
    }
    let isOpen = true
    port.onDisconnect.addListener(() => {
      isOpen = false
      if (this.#ports.delete(port) && this.#ports.size === 0) this.onAllClosed()
    })
    await ready
    if (!isOpen) return
    port.postMessage({ type: 'state', state: state() } satisfies PanelEvent)
    this.#ports.add(port)
  }
}
