// The open panels, and who may speak to the background: pages of this extension, never a content script or a web page.
import { browser } from 'wxt/browser'
import { PANEL_PORT, type PanelEvent, type PanelState } from '../panel_state'

type Port = ReturnType<typeof browser.runtime.connect>
type Sender = NonNullable<Port['sender']>

export function isOwnPage(sender: Sender | undefined): boolean {
  const isOwn = sender?.id === browser.runtime.id
  return isOwn && sender.url !== undefined && sender.url.startsWith(browser.runtime.getURL('/'))
}

export class Panels {
  readonly #ports = new Set<Port>()

  tell(event: PanelEvent): void {
    this.#ports.forEach((port) => port.postMessage(event))
  }

  /** Takes the port when it is a panel's, and sends it the whole state first. */
  async welcome(port: Port, ready: Promise<void>, state: () => PanelState): Promise<void> {
    if (port.name !== PANEL_PORT || !isOwnPage(port.sender)) return port.disconnect()
    let isOpen = true
    port.onDisconnect.addListener(() => {
      isOpen = false
      this.#ports.delete(port)
    })
    await ready
    if (!isOpen) return
    port.postMessage({ type: 'state', state: state() } satisfies PanelEvent)
    this.#ports.add(port)
  }
}
