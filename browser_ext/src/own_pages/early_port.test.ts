// What the panel asks for before its own script runs: the port, and items of the storage. The background is played.
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { PanelEvent } from '../state/panel_state'
import { listenToBackground } from './background_link'
import { stored } from '../state/stored'
import { openEarly, readEarly } from './early_port'

type Listener = (event: PanelEvent) => void

class FakePort {
  readonly listeners = new Set<Listener>()
  readonly ends: (() => void)[] = []
  readonly disconnect = vi.fn()
  readonly onMessage = {
    addListener: (listener: Listener) => this.listeners.add(listener),
    removeListener: (listener: Listener) => this.listeners.delete(listener),
  }
  readonly onDisconnect = { addListener: (end: () => void) => this.ends.push(end) }
  tell(...events: PanelEvent[]): void {
    for (const event of events) for (const listener of this.listeners) listener(event)
  }
}

const [first, second, third] = ['first', 'second', 'third'].map(
  (text) => ({ type: 'notice', text }) as unknown as PanelEvent,
) as [PanelEvent, PanelEvent, PanelEvent]
const ports: FakePort[] = []

beforeEach(() => {
  fakeBrowser.reset()
  ports.length = 0
  Object.assign(fakeBrowser.runtime, { connect: () => ports[ports.push(new FakePort()) - 1] })
})

it('keeps what comes until the panel listens, which then hears all of it once and in order, over one port', () => {
  const events: PanelEvent[] = []
  openEarly()
  ports[0]!.tell(first, second)
  const stop = listenToBackground((event) => events.push(event))
  ports[0]!.tell(third)
  expect(events).toEqual([first, second, third])
  stop()
  expect(ports).toHaveLength(1)
  expect(ports[0]!.disconnect).toHaveBeenCalledOnce()
})

it('is replaced where it ended before the panel listened, and is taken by one listener alone', () => {
  const events: PanelEvent[] = []
  openEarly()
  ports[0]!.tell(first)
  ports[0]!.ends.forEach((end) => end())
  listenToBackground((event) => events.push(event))
  ports[1]!.tell(second)
  listenToBackground(() => undefined)
  expect(events).toEqual([second])
  expect(ports).toHaveLength(3)
})

it('reads with the page what the panel cannot draw without, once', async () => {
  await stored.view.setValue('thread')
  openEarly()
  const [view, readTo] = [readEarly(stored.view), readEarly(stored.readTo)]
  const asked = vi.spyOn(stored.view, 'getValue')
  expect([await view(), await readTo()]).toEqual(['thread', {}])
  expect(asked).not.toHaveBeenCalled()
  await stored.view.setValue('other')
  expect(await view()).toBe('other')
})

it.each([
  ['the page did not ask', () => undefined],
  ['the storage failed', () => Object.assign(globalThis, { pennyStored: Promise.reject(new Error('no storage')) })],
])('reads when it is asked where %s', async (_why, prepare) => {
  Reflect.deleteProperty(globalThis, 'pennyStored')
  prepare()
  await stored.view.setValue('thread')
  expect(await readEarly(stored.view)()).toBe('thread')
})
