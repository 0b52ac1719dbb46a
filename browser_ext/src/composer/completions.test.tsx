// @vitest-environment page
// Commands are completed where the owner writes. The background is played by the test; the web chat runs the same
// module.
import axe from 'axe-core'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { PanelCommand } from '../state/panel_state'
import type { CommandInfo } from '../protocol.gen'
import { emptyPage, field, showBox, typeText } from './fake_box'

const KNOWN: CommandInfo[] = [
  { name: 'remind', usage: 'WHEN WHAT', does: 'Remind you of something.' },
  { name: 'resume', usage: '', does: 'Let everything go on after /stop.' },
  { name: 'stop', usage: '', does: 'Stop everything.' },
]
const commands: PanelCommand[] = []
const list = () => document.querySelector<HTMLUListElement>('#commands')!
const names = () => [...list().querySelectorAll('b')].map((element) => element.textContent)
const activeName = () =>
  document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.querySelector('b')?.textContent

/** Returns whether the page's own meaning of the key was kept. */
const press = (key: string, more: KeyboardEventInit = {}) =>
  field().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }))

async function answer(request: unknown): Promise<unknown> {
  const command = request as PanelCommand
  commands.push(command)
  return command.type === 'complete'
    ? { ok: true, commands: KNOWN.filter(({ name }) => name.startsWith(command.begun)) }
    : { ok: true }
}

beforeEach(() => {
  emptyPage()
  commands.length = 0
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation(answer)
  showBox()
})

afterEach(() => vi.restoreAllMocks())

it('never completes another command than what is written, however late the list is', async () => {
  typeText('/')
  await vi.waitFor(() => expect(names()).toEqual(['/remind', '/resume', '/stop']))
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation(async (request) => {
    commands.push(request as PanelCommand)
    return (request as PanelCommand).type === 'complete' ? new Promise(() => undefined) : { ok: true }
  })
  typeText('/sto')
  expect(activeName()).toBe('/stop')
  typeText('/stop')
  await new Promise((resolve) => setTimeout(resolve)) // the next key
  press('Enter')
  await vi.waitFor(() => expect(commands.filter(({ type }) => type === 'send')).toMatchObject([{ text: '/stop' }]))
})

it('lists all commands after a slash, and fewer with each letter, and none for other words', async () => {
  typeText('/')
  await vi.waitFor(() => expect(names()).toEqual(['/remind', '/resume', '/stop']))
  expect(list().hidden).toBe(false)
  expect(list().textContent).toContain('Remind you of something.')
  typeText('/re')
  await vi.waitFor(() => expect(names()).toEqual(['/remind', '/resume']))
  for (const text of ['/re tomorrow', 'what is /re', '/etc/passwd', '/xyz', '']) {
    typeText('/')
    await vi.waitFor(() => expect(list().hidden).toBe(false))
    typeText(text)
    await vi.waitFor(() => expect(list().hidden).toBe(true))
  }
})

it('chooses with the arrows, round and round, and completes with Enter and with Tab, without sending', async () => {
  for (const key of ['Enter', 'Tab']) {
    typeText('/re')
    await vi.waitFor(() => expect(activeName()).toBe('/remind'))
    press('ArrowUp')
    expect(activeName()).toBe('/resume')
    press('ArrowDown')
    press('ArrowDown')
    expect(activeName()).toBe('/resume')
    expect(press(key)).toBe(false)
    await vi.waitFor(() => expect(field().value).toBe('/resume '))
    expect(list().hidden).toBe(true)
  }
  expect(commands.filter((entry) => entry.type === 'send')).toEqual([])
})

it('sends a name that is whole, and what is typed after it', async () => {
  typeText('/stop')
  await vi.waitFor(() => expect(activeName()).toBe('/stop'))
  press('Enter')
  await vi.waitFor(() => expect(commands).toContainEqual({ type: 'send', text: '/stop', thread: 'main' }))
  expect(list().hidden).toBe(true)
})

it('stays closed if the command was sent before its list came', async () => {
  let answerNow: (answer: unknown) => void = () => undefined
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation(async (request) =>
    (request as PanelCommand).type === 'complete'
      ? new Promise((resolve) => void (answerNow = resolve))
      : answer(request),
  )
  typeText('/stop')
  await new Promise((resolve) => setTimeout(resolve)) // the next key
  press('Enter')
  await vi.waitFor(() => expect(field().value).toBe(''))
  answerNow({ ok: true, commands: KNOWN.slice(2) })
  await new Promise((resolve) => setTimeout(resolve))
  expect(list().hidden).toBe(true)
})

it('closes with Escape and when the field is left, and stays closed though an answer comes late', async () => {
  typeText('/')
  await vi.waitFor(() => expect(list().hidden).toBe(false))
  expect(press('Escape')).toBe(false)
  expect(list().hidden).toBe(true)
  expect(press('Tab')).toBe(true)
  typeText('/')
  field().dispatchEvent(new Event('blur'))
  await new Promise((resolve) => setTimeout(resolve))
  expect(list().hidden).toBe(true)
})

it('completes what is clicked', async () => {
  typeText('/')
  await vi.waitFor(() => expect(list().hidden).toBe(false))
  list().querySelector<HTMLElement>('#commands-stop small')!.click()
  await vi.waitFor(() => expect(field().value).toBe('/stop '))
})

it('says what it is to who cannot see it, and only while it is there', async () => {
  typeText('/')
  await vi.waitFor(() => expect(field().getAttribute('aria-expanded')).toBe('true'))
  expect([field().getAttribute('role'), field().getAttribute('aria-controls'), list().getAttribute('role')]).toEqual([
    'combobox',
    'commands',
    'listbox',
  ])
  expect(list().getAttribute('aria-label')).toBeTruthy()
  expect(
    [...list().children].map((option) => [option.getAttribute('role'), option.getAttribute('aria-selected')]),
  ).toEqual([
    ['option', 'true'],
    ['option', 'false'],
    ['option', 'false'],
  ])
  const { violations } = await axe.run(list().parentElement!, {
    rules: { 'color-contrast': { enabled: false }, 'aria-allowed-role': { enabled: false } },
  })
  expect(violations.map(({ id }) => id)).toEqual([])
  press('Escape')
  expect(
    field()
      .getAttributeNames()
      .filter((name) => name === 'role' || (name.startsWith('aria-') && name !== 'aria-label')),
  ).toEqual([])
})
