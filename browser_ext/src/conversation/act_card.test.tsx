// @vitest-environment page
// Questions of an errand: before an act, and by the operator. The background is played by the test.
import { render } from 'preact'
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { Shown } from '../protocol.gen'
import type { Ask } from '../state/asks'
import type { PanelCommand } from '../state/panel_state'
import { AskCard } from './ask_card'

const expires_at = new Date(Date.now() + 60_000).toISOString()
const letter = `Dear shop, ${'please hurry. '.repeat(200)}`
const details: Shown = {
  kinds: ['submit', 'send'],
  certainty: 'sure',
  host: 'mail.example',
  to: 'mail.example/send',
  button: 'Send now',
  fields: [
    { label: 'To', value: 'ada@home.example', source: 'you' },
    { label: 'Subject', value: 'Your order', source: 'page' },
    { label: '', value: letter, source: 'penny' },
  ],
  files: [{ name: 'bill.pdf', size: 20_480 }],
  amount: '',
  digest: 'a'.repeat(64),
}
const ask = (more: object) => ({ type: 'approval.ask', request_id: 'r', text: 'all', expires_at, ...more }) as Ask
const find = (selector: string) => document.querySelector<HTMLElement>(selector)
const labels = () => [...document.querySelectorAll('.ask button')].map((button) => button.textContent)
const press = (key: string) =>
  find('.ask')?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
let commands: PanelCommand[]

function pose(question: Ask): void {
  const app = document.getElementById('app')
  if (app) render(<AskCard asks={[question]} server="http://127.0.0.1:8787" />, app)
}

beforeEach(() => {
  fakeBrowser.reset()
  document.body.innerHTML = '<textarea id="composer"></textarea><div id="app"></div>'
  commands = []
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation((async (command: PanelCommand) => {
    commands.push(command)
    return { ok: true }
  }) as never)
})

it('before an act shows all that it sends, and where each value comes from', () => {
  pose(ask({ details }))
  expect(find('#ask-question')?.textContent).toBe('Send this on mail.example?')
  expect([...document.querySelectorAll('.sent > div')].map((row) => row.textContent)).toEqual([
    'ButtonSend now',
    'Toyour wordsada@home.example',
    'Subjectthis pageYour order',
    `Without a namePenny wrote this${letter}`,
    'Filebill.pdf (20 KB)',
    'Tomail.example/send',
  ])
})

it('shows what an option sends, and what the page hides', () => {
  const fields = [
    { label: 'Land', name: 'land', value: 'Germany', sent: 'de' },
    { label: 'cart', name: 'cart', value: '77', is_hidden: true },
    { label: 'token', name: 'token', value: 'xyz', more: 9_000, is_hidden: true },
  ]
  pose(ask({ details: { ...details, fields, files: [], more_hidden: 2 } }))
  expect([...document.querySelectorAll('.sent > div')].map((row) => row.textContent)).toEqual([
    'ButtonSend now',
    'LandGermany (sent as “de”)',
    'Tomail.example/send',
    'Sent too, hidden by the pagecart = 77token = xyz … and 9000 more charactersand 2 more',
  ])
})

it('before an act is not approved by the first button, by a key, or by a click that comes too early', async () => {
  pose(ask({ details }))
  expect(labels()).toEqual(['No', 'Approve'])
  find('[data-decision="allow"]')?.click()
  press('a')
  expect(commands).toEqual([])
  await vi.waitFor(() => expect(find('.ask button:disabled')).toBeNull())
  press('a')
  expect(commands).toEqual([])
  find('[data-decision="allow"]')?.click()
  await vi.waitFor(() => expect(commands).toEqual([{ type: 'answer_approval', request_id: 'r', choice: 'allow' }]))
})

it('of an operator is answered by an option or in the owner’s words, and says who has it asked', async () => {
  const question = { host: 'shop.example', options: ['red', 'blue'] }
  pose(ask({ text: 'Which <b>colour</b>? https://evil.example', question }))
  expect(find('#ask-question')?.textContent).toBe('shop.example makes Penny ask:')
  expect(find('#ask-reason')?.innerHTML).toBe('Which &lt;b&gt;colour&lt;/b&gt;? https://evil.example')
  await vi.waitFor(() => expect(labels()).toEqual(['red', 'blue', 'Answer', 'No answer']))
  await vi.waitFor(() => expect(find('.own-answer .buttons button:disabled')?.textContent).toBe('Answer'))
  const field = document.querySelector<HTMLInputElement>('.own-answer input')
  if (field) field.value = ' green '
  field?.dispatchEvent(new Event('input', { bubbles: true }))
  await vi.waitFor(() => expect(find('.ask button:disabled')).toBeNull())
  find('.own-answer [type="submit"]')?.click()
  find('.own-answer .buttons button')?.click()
  await vi.waitFor(() =>
    expect(commands.map((command) => command.type === 'answer_approval' && command.words)).toEqual(['green', 'red']),
  )
})
