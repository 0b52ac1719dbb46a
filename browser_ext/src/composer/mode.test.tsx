// @vitest-environment page
// Ask or Act, in the sidebar. The background is played by the test.
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { PanelState } from '../state/panel_state'
import { emptyPage, SERVER, showBox, typeText } from './fake_box'

const at = <Found extends Element = HTMLElement>(selector: string) => document.querySelector<Found>(selector)
const isActing = () => at<HTMLInputElement>('#mode-act')?.checked
const press = (selector: string) => at(selector)?.click()

beforeEach(() => {
  emptyPage()
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockResolvedValue({ ok: true })
})

function inFront(url: string, incognito = false): void {
  vi.spyOn(fakeBrowser.tabs, 'query').mockResolvedValue([{ id: 3, url, active: true, incognito }] as never)
}

async function showMode(obstacle: PanelState['obstacle'], isTemporary = false): Promise<void> {
  showBox({ isTemporary, obstacle })
  await vi.waitFor(() => expect(at('#composer')).not.toBeNull())
}

async function sendText(text: string): Promise<Record<string, unknown>> {
  typeText(text)
  await vi.waitFor(() => expect(at<HTMLButtonElement>('#send')?.disabled).toBe(false))
  press('#send')
  return vi.waitFor(() => {
    const sent = vi.mocked(fakeBrowser.runtime.sendMessage).mock.calls.map(([it]) => it as never)
    const message = sent.findLast((command: { type: string; text: string }) => command.text === text)
    if (!message) throw new Error('not sent')
    return message
  })
}

it('asks until the owner switches, then acts in the tab in front', async () => {
  inFront('https://shop.example/basket?user=ada')
  await showMode(null)
  expect(isActing()).toBe(false)
  expect(await sendText('Hello')).toEqual({ type: 'send', text: 'Hello', thread: 'main' })
  press('#mode-act')
  await vi.waitFor(() => expect(at('#act-on')?.textContent).toBe('on shop.example'))
  expect(await sendText('Buy it')).toEqual({
    type: 'send',
    text: 'Buy it',
    thread: 'main',
    mode: 'act',
    tab: 'shop.example',
  })
  press('#mode-ask')
  await vi.waitFor(() => expect(isActing()).toBe(false))
  expect(await sendText('And now?')).not.toHaveProperty('mode')
})

it('leaves the tab out when the owner says so, until another site is in front', async () => {
  inFront('https://shop.example/')
  await showMode(null)
  press('#mode-act')
  await vi.waitFor(() => expect(at('#act-on-off')).not.toBeNull())
  press('#act-on-off')
  await vi.waitFor(() => expect(at('#act-on')).toBeNull())
  expect(await sendText('Buy it')).toEqual({ type: 'send', text: 'Buy it', thread: 'main', mode: 'act' })
})

it.each([
  ['a private window', 'https://secret.example/', true],
  ['a page of Penny', `${SERVER}/chat/`, false],
  ['a page of the browser', 'about:config', false],
])('names no tab of %s', async (_, url, incognito) => {
  inFront(url, incognito)
  await showMode(null)
  press('#mode-act')
  await vi.waitFor(() => expect(isActing()).toBe(true))
  expect(await sendText('Buy it')).toEqual({ type: 'send', text: 'Buy it', thread: 'main', mode: 'act' })
})

it.each([
  ['no_model', '/settings/model/'],
  ['no_browser', '/setup/'],
  ['old_browser', '/setup/'],
  ['switched_off', '/permissions/browsers/'],
] as const)('stays at Ask while there is %s, and says what helps', async (obstacle, path) => {
  inFront('https://shop.example/')
  await showMode(obstacle)
  expect(at('label:has(#mode-act)')?.className).toBe('off')
  expect(at('#mode-state')?.textContent?.trim()).toBe('')
  press('#mode-act')
  await vi.waitFor(() => expect(at<HTMLAnchorElement>('#mode-help')?.href).toBe(SERVER + path))
  expect([isActing(), at('#mode-state')?.className]).toEqual([false, 'what'])
  expect(await sendText('Buy it')).not.toHaveProperty('mode')
  await showMode(null) // the obstacle is gone, and what the owner chose holds
  await vi.waitFor(() => expect(isActing()).toBe(true))
})

it('never acts off the record', async () => {
  inFront('https://shop.example/')
  await showMode(null, true)
  press('#mode-act')
  await vi.waitFor(() => expect(at('#mode-help')).not.toBeNull())
  expect(await sendText('Buy it')).toEqual({ type: 'send', text: 'Buy it', thread: 'main', temporary: true })
  press('#mode-help')
  await vi.waitFor(() => expect(isActing()).toBe(true))
})

it('is switched by Alt+M and by a command', async () => {
  inFront('https://shop.example/')
  await showMode(null)
  const key = (init: KeyboardEventInit) =>
    document.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyM', bubbles: true, ...init }))
  key({ altKey: true, ctrlKey: true })
  key({ altKey: true })
  await vi.waitFor(() => expect(isActing()).toBe(true))
  expect(at('#mode-state')?.textContent).toContain('Act: Penny may click')
  await sendText('/act off')
  await vi.waitFor(() => expect(isActing()).toBe(false))
  await sendText(' /ACT on ')
  await vi.waitFor(() => expect(isActing()).toBe(true))
})

it('is not there with a server that cannot act', async () => {
  inFront('https://shop.example/')
  await showMode('unknown')
  expect(at('#mode-act')).toBeNull()
})
