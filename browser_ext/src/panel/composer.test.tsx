// @vitest-environment jsdom
// Where the owner writes. The background is played by the test.
import { render } from 'preact'
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { Outcome } from '../panel_state'
import { Composer } from './composer'

const field = () => document.querySelector<HTMLTextAreaElement>('#composer')

function type(text: string): void {
  const found = field()
  if (found) found.value = text
  found?.dispatchEvent(new Event('input', { bubbles: true }))
}

beforeEach(() => {
  fakeBrowser.reset()
  document.body.innerHTML = '<div id="app"></div>'
  vi.spyOn(fakeBrowser.tabs, 'query').mockResolvedValue([])
})

it('gives back what could not be sent, before what was typed since', async () => {
  const answers: ((outcome: Outcome) => void)[] = []
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation(() => new Promise((resolve) => answers.push(resolve)))
  const holder = document.getElementById('app')
  if (holder) render(<Composer turns={[]} server="http://127.0.0.1:8787" />, holder)
  type('First')
  await vi.waitFor(() => expect(document.querySelector<HTMLButtonElement>('#send')?.disabled).toBe(false))
  document.querySelector<HTMLElement>('#send')?.click()
  await vi.waitFor(() => expect(field()?.value).toBe(''))
  type('Second')
  answers.at(-1)?.({ ok: false, message: 'It could not be sent.' })
  await vi.waitFor(() => expect(field()?.value).toBe('First\nSecond'))
  expect(document.querySelector('[role="alert"]')?.textContent).toBe('It could not be sent.')
})
