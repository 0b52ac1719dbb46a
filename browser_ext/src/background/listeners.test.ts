// Only the browser is a fake: it hands on messages with the sender that the test names.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { PANEL_PORT } from '../state/panel_state'
import { startListening } from './listeners'
import type { Sender } from './own_pages'
import { Panels } from './panels'
import { Penny } from './penny'

type Listener = (...values: unknown[]) => unknown

const home = 'chrome-extension://penny'
const OWN = { id: 'penny', url: `${home}/options.html`, origin: home, tab: { id: 1 }, frameId: 0 }
const STRANGERS: [string, object][] = [
  ['a web page', { url: 'https://granted.example/', origin: 'https://granted.example', tab: { id: 1 }, frameId: 0 }],
  ['our script in a web page', { id: 'penny', url: 'https://granted.example/', tab: { id: 1 }, frameId: 0 }],
  ['our page in a frame of a web page', { ...OWN, frameId: 2 }],
  ['another extension', { id: 'other', url: 'chrome-extension://other/options.html' }],
]

let listeners: Record<string, Listener[]>
let penny: Penny
let panels: Panels

beforeEach(() => {
  fakeBrowser.reset()
  listeners = {}
  const event = (name: string) => ({
    addListener: (listener: Listener) => void (listeners[name] ??= []).push(listener),
  })
  const names = ['onConnect', 'onMessage', 'onConnectExternal', 'onMessageExternal', 'onUserScriptMessage']
  const events = Object.fromEntries(names.map((name) => [name, event(name)]))
  Object.assign(fakeBrowser.runtime, { id: 'penny', getURL: (path: string) => `${home}${path}`, ...events })
  panels = new Panels()
  penny = new Penny((event) => panels.tell(event))
  startListening(penny, panels)
})

/** Returns what `onMessage` returned and what was answered, once the background had the time to. */
async function deliver(
  message: unknown,
  sender: object,
): Promise<{ isTaken: unknown; answer: ReturnType<typeof vi.fn> }> {
  const answer = vi.fn()
  const [isTaken] = (listeners['onMessage'] ?? []).map((listener) => listener(message, sender as Sender, answer))
  await penny.ready
  await vi.waitFor(() => expect(isTaken !== true || answer.mock.calls.length > 0).toBe(true))
  return { isTaken, answer }
}

const off = { type: 'set_tool_use', on: false }

describe('the door', () => {
  it('lets a page of the extension command', async () => {
    const { answer } = await deliver(off, OWN)
    expect(answer).toHaveBeenCalledWith({ ok: true })
    expect(penny.memory.toolSwitch.on).toBe(false)
  })

  it.each(STRANGERS)('takes no command from %s', async (_who, sender) => {
    for (const message of [off, { type: 'unpair' }, { type: 'forget_everything' }]) {
      const { isTaken, answer } = await deliver(message, sender)
      expect(isTaken).toBe(false)
      expect(answer).not.toHaveBeenCalled()
    }
    expect(penny.memory.toolSwitch.on).toBe(true)
  })

  it.each(STRANGERS)('tells nothing to %s', async (_who, sender) => {
    const port = {
      name: PANEL_PORT,
      sender,
      postMessage: vi.fn(),
      disconnect: vi.fn(),
      onDisconnect: { addListener: vi.fn() },
    }
    listeners['onConnect']?.forEach((listener) => listener(port))
    await penny.ready
    panels.tell({ type: 'change', change: { unread: 1 } })
    expect(port.disconnect).toHaveBeenCalled()
    expect(port.postMessage).not.toHaveBeenCalled()
  })

  it.each([null, 'unpair', 7, {}, { type: 'toString' }, { type: ['unpair'] }])(
    'takes nothing that is no command: %j',
    async (message) => {
      expect((await deliver(message, OWN)).isTaken).toBe(false)
    },
  )

  it('has no entrance for web pages, other extensions and user scripts', () => {
    expect(Object.keys(listeners).sort()).toEqual(['onConnect', 'onMessage'])
  })
})
