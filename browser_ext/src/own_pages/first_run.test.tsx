// @vitest-environment jsdom
// The first run: three steps, of which the last sets what it says. The background is played by the test.
import { readFileSync } from 'node:fs'
import { render } from 'preact'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { Outcome, PanelCommand } from '../state/panel_state'
import { EMPTY_STATE } from '../state/panel_state'
import { stored } from '../state/stored'
import { Empty } from '../conversation/empty'
import { FirstRun } from './first_run'
import type { CurrentSettings } from './purpose'

let commands: PanelCommand[]
let outcome: Outcome
const over = vi.fn()
const title = () => document.querySelector('#first-run')
const press = (name: string) => document.querySelector<HTMLElement>(`#${name}`)?.click()
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

async function atTheLastStep(settings: CurrentSettings = { toolUse: true, sharesHistory: false }): Promise<void> {
  render(<FirstRun settings={settings} onOver={over} />, holder())
  for (const next of ['Show her a page', 'What is Penny for?']) {
    press('first-next')
    await vi.waitFor(() => expect(title()?.textContent).toBe(next))
    await vi.waitFor(() => expect(document.activeElement).toBe(title()))
  }
}

function like(text: string): void {
  const field = document.querySelector<HTMLTextAreaElement>('#likes')
  if (field) field.value = text
  field?.dispatchEvent(new Event('input', { bubbles: true }))
}

it('lays out its buttons beside one another, and not the steps of an answer, which stand in the same panel', () => {
  const style = document.createElement('style')
  for (const sheet of ['../penny_site/static/penny/chat/message.css', 'src/own_pages/controls.css'])
    style.append(readFileSync(sheet, 'utf-8'))
  document.head.append(style)
  render(<FirstRun settings={{ toolUse: true, sharesHistory: false }} onOver={over} />, holder())
  holder().insertAdjacentHTML('beforeend', '<details class="steps"></details>')
  const display = (element: Element | null | undefined) => element && getComputedStyle(element).display
  expect(display(document.querySelector('#first-next')?.parentElement)).toBe('flex')
  expect(display(document.querySelector('details.steps'))).toBe('block')
  style.remove()
})

describe('the first run', () => {
  it('sets what was ticked, and nothing before', async () => {
    await atTheLastStep()
    like(' lever espresso \n\nshortwave radio')
    await vi.waitFor(() => expect(document.querySelector<HTMLTextAreaElement>('#likes')?.value).toContain('radio'))
    expect(commands).toEqual([])
    press('first-done')
    await vi.waitFor(() => expect(over).toHaveBeenCalledOnce())
    expect(commands).toEqual([{ type: 'set_purpose', thinks: true, likes: ['lever espresso', 'shortwave radio'] }])
  })

  it('switches off what was unticked', async () => {
    await atTheLastStep({ toolUse: true, sharesHistory: true })
    for (const box of ['purpose-answers', 'purpose-finds', 'purpose-learns']) press(box)
    await vi.waitFor(() => expect(document.querySelector('#likes')).toBeNull())
    press('first-done')
    await vi.waitFor(() => expect(over).toHaveBeenCalledOnce())
    expect(commands).toEqual([
      { type: 'set_tool_use', on: false },
      { type: 'set_history', on: false },
      { type: 'set_purpose', thinks: false, likes: [] },
    ])
  })

  it('says what did not work, and stays', async () => {
    outcome = { ok: false, message: 'Penny is not connected.' }
    await atTheLastStep()
    press('first-done')
    await vi.waitFor(() =>
      expect(document.querySelector('[role="alert"]')?.textContent).toBe('Penny is not connected.'),
    )
    expect(over).not.toHaveBeenCalled()
  })

  it('stands where nothing was said yet, until it is done or skipped', async () => {
    render(<Empty state={EMPTY_STATE} />, holder())
    await vi.waitFor(() => expect(title()).not.toBeNull())
    press('first-skip')
    await vi.waitFor(() => expect(document.querySelectorAll('.examples button')).toHaveLength(3))
    expect(await stored.introduced.getValue()).toBe(true)
  })
})
