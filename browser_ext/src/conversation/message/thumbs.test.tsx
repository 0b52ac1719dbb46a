// @vitest-environment page
// The thumbs of a thought in the conversation. The background is played by the test; what stands comes with the
// messages alone.
import { render } from 'preact'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { Outcome, PanelCommand } from '../../state/panel_state'
import type { Message } from '../../protocol.gen'
import { MessageItem } from './message_item'

const notification: Message = {
  id: 'm1',
  seq: 1,
  device_label: 'Penny',
  direction: 'out',
  kind: 'notification',
  text: 'A lever',
  html: '<p>A lever</p>',
  created_at: '2026-01-01T12:00:00Z',
  thought_id: 'thought-1',
  origin: ['penny', 'coffee.example'],
}
let commands: PanelCommand[]
let outcome: Outcome

beforeEach(() => {
  fakeBrowser.reset()
  document.body.innerHTML = '<ol id="app"></ol>'
  commands = []
  outcome = { ok: true }
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation((request: unknown) => {
    commands.push(request as PanelCommand)
    return Promise.resolve(outcome)
  })
})

function showMessage(message: Message, reaction?: 1 | -1): void {
  const holder = document.getElementById('app')
  const props = {
    server: 'http://127.0.0.1:8787',
    own: { label: 'x', device_id: 'd' },
    isStopped: false,
    canAskAgain: false,
    canGoOn: false,
    page: null,
    quotedMessage: undefined,
    onQuote: () => undefined,
    onDelete: undefined,
    isConnected: true,
    isAnswered: false,
  }
  if (holder) render(<MessageItem message={message} reaction={reaction} {...props} />, holder)
}

const thumb = (name: string) => document.querySelector<HTMLButtonElement>(`[data-thumb="${name}"]`)
const pressedStates = () => ['up', 'down'].map((name) => thumb(name)?.getAttribute('aria-pressed'))

describe('the thumbs', () => {
  it('react to the thought that a message brought, and show what stands once it was said', () => {
    showMessage(notification)
    expect([pressedStates(), thumb('undo')]).toEqual([['false', 'false'], null])
    thumb('up')?.click()
    thumb('down')?.click()
    expect(commands).toEqual([1, -1].map((valence) => ({ type: 'react', thought_id: 'thought-1', valence })))
    expect(pressedStates()).toEqual(['false', 'false'])
    showMessage(notification, -1)
    expect(pressedStates()).toEqual(['false', 'true'])
  })

  it('take back what stands, and keep the focus when their button goes', () => {
    showMessage(notification, 1)
    thumb('undo')?.focus()
    thumb('undo')?.click()
    expect(commands).toEqual([{ type: 'unreact', thought_id: 'thought-1', valence: 1 }])
    showMessage(notification)
    expect([thumb('undo'), document.activeElement]).toEqual([null, thumb('up')])
  })

  it('say what went wrong', async () => {
    outcome = { ok: false, message: 'That thought is gone.' }
    showMessage(notification)
    thumb('up')?.click()
    await vi.waitFor(() =>
      expect(document.querySelector('.thumbs .problem')?.textContent).toBe('That thought is gone.'),
    )
  })

  it('stand beneath nothing but a thought', () => {
    for (const kind of ['chat', 'failure'] as const) showMessage({ ...notification, kind })
    showMessage({ ...notification, direction: 'in', kind: 'reaction' })
    expect(document.querySelector('.thumbs')).toBeNull()
  })
})
