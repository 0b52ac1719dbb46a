// @vitest-environment page
// The first run: one question, whose answer is looked for at once. The background is played by the test.
import { render } from 'preact'
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { Outcome, PanelCommand } from '../state/panel_state'
import { EMPTY_STATE } from '../state/panel_state'
import { stored } from '../state/stored'
import { Empty } from '../panel/empty'
import { FirstRun } from './first_run'

let commands: PanelCommand[]
let outcome: Outcome
const over = vi.fn()
const press = (selector: string) => document.querySelector<HTMLElement>(selector)?.click()
const field = () => document.querySelector<HTMLInputElement>('#likes')
const holder = () => document.getElementById('app') as HTMLElement

beforeEach(() => {
  fakeBrowser.reset()
  document.body.innerHTML = '<ol id="app"></ol>'
  commands = []
  outcome = { ok: true }
  over.mockClear()
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation((request: unknown) => {
    commands.push(request as PanelCommand)
    return Promise.resolve(outcome)
  })
})

async function begin(isConnected = true): Promise<void> {
  render(<FirstRun isConnected={isConnected} onOver={over} />, holder())
  await vi.waitFor(() => expect(document.activeElement).toBe(field()))
}

async function like(text: string): Promise<void> {
  const input = field()
  if (input) input.value = text
  input?.dispatchEvent(new Event('input', { bubbles: true }))
  await new Promise(requestAnimationFrame)
}

it('asks one question, with the caret in its field, and starts with the answer', async () => {
  await begin()
  expect(document.querySelectorAll('.first-run input')).toHaveLength(1)
  await like('  small espresso machines ')
  expect(commands).toEqual([])
  press('#first-start')
  await vi.waitFor(() => expect(over).toHaveBeenCalledOnce())
  expect(commands).toEqual([{ type: 'set_purpose', thinks: true, likes: ['small espresso machines'] }])
})

it('waits for the connection with what was answered before it', async () => {
  await begin(false)
  await like('radios')
  press('#first-start')
  await vi.waitFor(() => expect(document.querySelector('#first-start')?.textContent).toBe('Starting'))
  expect(commands).toEqual([])
  await begin(true)
  await vi.waitFor(() => expect(over).toHaveBeenCalledOnce())
  expect(commands).toEqual([{ type: 'set_purpose', thinks: true, likes: ['radios'] }])
})

it('takes an example into the field', async () => {
  await begin()
  press('.examples-row button')
  await vi.waitFor(() => expect(field()?.value).toBe('lever espresso'))
  expect(commands).toEqual([])
})

it('starts nothing without an answer', async () => {
  await begin()
  await like('   ')
  press('#first-start')
  await vi.waitFor(() => expect(document.activeElement).toBe(field()))
  expect([commands, over.mock.calls]).toEqual([[], []])
})

it('says what did not work, and stays', async () => {
  outcome = { ok: false, message: 'Penny is not connected.' }
  await begin()
  await like('radios')
  press('#first-start')
  await vi.waitFor(() => expect(document.querySelector('[role="alert"]')?.textContent).toBe('Penny is not connected.'))
  expect(over).not.toHaveBeenCalled()
})

it('stands where nothing was said yet, until it is done or skipped', async () => {
  render(<Empty state={EMPTY_STATE} />, holder())
  await vi.waitFor(() => expect(document.querySelector('#first-run')).not.toBeNull())
  press('#first-skip')
  await vi.waitFor(() => expect(document.querySelectorAll('.examples button')).toHaveLength(3))
  expect(await stored.introduced.getValue()).toBe(true)
})
