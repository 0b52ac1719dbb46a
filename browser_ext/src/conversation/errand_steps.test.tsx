// @vitest-environment page
// An errand above the composer, and the buttons that steer it. The background is played by the test.
import { render } from 'preact'
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { ErrandInfo } from '../protocol.gen'
import { afterErrand, type Errand } from '../state/errands'
import type { PanelCommand } from '../state/panel_state'
import { ErrandSteps } from './errand_steps'

const errand = (more: Partial<ErrandInfo> = {}): ErrandInfo => ({
  id: 'e1',
  state: 'running',
  code: '',
  goal: 'Put the quiet keyboard into the basket',
  host: 'shop.example',
  steps: 3,
  steps_max: 60,
  line: 'Clicking on shop.example',
  ...more,
})
let commands: PanelCommand[]
let errands: Errand[]

const find = (selector: string) => document.querySelector<HTMLElement>(selector)
const buttons = () => [...document.querySelectorAll('.errand button')].map((button) => button.textContent)
const press = (key: string) => dispatchEvent(new KeyboardEvent('keydown', { key }))

async function appear(info: ErrandInfo): Promise<void> {
  errands = afterErrand(errands, info)
  const app = document.getElementById('app')
  if (app) render(<ErrandSteps errands={errands} />, app)
  await new Promise((done) => setTimeout(done, 20))
}

beforeEach(() => {
  fakeBrowser.reset()
  document.body.innerHTML = '<div id="app"></div>'
  commands = []
  errands = []
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation((async (command: PanelCommand) => {
    commands.push(command)
    return { ok: true }
  }) as never)
})

it('shows host, goal, step and line, and the lines so far', async () => {
  await appear(errand())
  await appear(errand({ line: 'Typing on shop.example', steps: 5 }))
  await appear(errand({ line: 'Typing on shop.example', steps: 6 }))
  expect(find('.errand')?.textContent).toContain('shop.example step 6 of at most 60')
  expect(find('.errand .busy')?.textContent).toBe('Typing on shop.example')
  expect([...document.querySelectorAll('.errand li')].map((line) => line.textContent)).toEqual([
    'Clicking on shop.example',
    'Typing on shop.example',
  ])
  await appear(errand({ state: 'done' }))
  expect(find('.errand')).toBeNull()
})

it('is stopped, taken over and handed back by its buttons', async () => {
  await appear(errand())
  expect(buttons()).toEqual(['Take over', 'Stop'])
  find('[data-steer="take_over"]')?.click()
  await appear(errand({ state: 'paused', code: 'captcha' }))
  expect(find('.errand .now')?.textContent).toBe('Show there that you are human, then hand the page back.')
  expect(buttons()).toEqual(['Hand back', 'Stop'])
  find('[data-steer="hand_back"]')?.click()
  find('[data-steer="stop"]')?.click()
  const acts = commands.map((command) => command.type === 'steer' && command.act)
  expect(acts).toEqual(['take_over', 'hand_back', 'stop'])
})

it('is stopped by Escape, pressed twice within a second', async () => {
  await appear(errand())
  press('Escape')
  expect(commands).toEqual([])
  press('Escape')
  expect(commands).toEqual([{ type: 'steer', errand_id: 'e1', act: 'stop' }])
  await appear(errand({ state: 'cancelled' }))
  press('Escape')
  press('Escape')
  expect(commands.length).toBe(1)
})

it('is read out at most once a second', async () => {
  await appear(errand({ line: 'One' }))
  const words = () => find('.errand [aria-live]')?.textContent
  const heard = new Set([words()])
  for (const line of ['Two', 'Three', 'Four']) {
    await appear(errand({ line }))
    heard.add(words())
  }
  expect([...heard]).toEqual(['One'])
  await vi.waitFor(() => expect(words()).toBe('Four'), 2_000)
})
