import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { EMPTY_STATE, PANEL_PORT } from '../state/panel_state'
import { Panels } from './panels'

const own = (path: string) => `chrome-extension://penny/${path}`

beforeEach(() => {
  fakeBrowser.reset()
  Object.assign(fakeBrowser.runtime, { id: 'penny', getURL: (path: string) => own(path.replace(/^\//, '')) })
})

type Port = Parameters<Panels['welcome']>[0]

function portFrom(url: string | undefined, name = PANEL_PORT) {
  const onDisconnect = { addListener: vi.fn<(listener: () => void) => void>() }
  const port = { name, sender: { id: 'penny', url }, postMessage: vi.fn(), disconnect: vi.fn(), onDisconnect }
  return { port, asPort: port as unknown as Port }
}

describe('a panel', () => {
  it('gets the whole state first and every event after it, until it closes', async () => {
    const panels = new Panels()
    const { port, asPort } = portFrom(own('sidepanel.html'))
    await panels.welcome(asPort, Promise.resolve(), () => EMPTY_STATE)
    panels.tell({ type: 'change', change: { unread: 1 } })
    port.onDisconnect.addListener.mock.calls[0]?.[0]()
    panels.tell({ type: 'change', change: { unread: 2 } })
    expect(port.postMessage.mock.calls).toEqual([
      [{ type: 'state', state: EMPTY_STATE }],
      [{ type: 'change', change: { unread: 1 } }],
    ])
  })

  it('is turned away when it is not ours, or a port of another kind', async () => {
    for (const { port, asPort } of [portFrom('https://evil.example/'), portFrom(own('sidepanel.html'), 'other')]) {
      await new Panels().welcome(asPort, Promise.resolve(), () => EMPTY_STATE)
      expect(port.disconnect).toHaveBeenCalled()
      expect(port.postMessage).not.toHaveBeenCalled()
    }
  })
})
