// @vitest-environment page
// The search in the conversation. The background is played by the test.
import { render } from 'preact'
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { messagesContaining } from '../state/conversation'
import type { Outcome, PanelCommand } from '../state/panel_state'
import type { Message } from '../protocol.gen'
import { plainText } from './text/plain_text'
import { snippetAround } from './text/snippet'
import { Search } from './search'

const message = (seq: number, text: string): Message => ({
  id: `id-${seq}`,
  seq,
  device_label: 'Web',
  direction: 'in',
  kind: 'chat',
  text,
  html: text,
  created_at: '2026-01-01T12:00:00Z',
  origin: ['owner'],
})
let commands: PanelCommand[]
let outcomes: Outcome[]

beforeEach(() => {
  fakeBrowser.reset()
  document.body.innerHTML = '<div id="app"></div>'
  commands = []
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation((request: unknown) => {
    commands.push(request as PanelCommand)
    return Promise.resolve(outcomes.shift() ?? { ok: true, matches: [], more: false })
  })
})

function typeQuery(text: string): void {
  const field = document.querySelector<HTMLInputElement>('#search-words')
  if (field) field.value = text
  field?.dispatchEvent(new Event('input', { bubbles: true }))
}

const hits = () => [...document.querySelectorAll<HTMLElement>('.hit')].map((hit) => hit.dataset.found)

it('shows the newest first, asks for older ones, and leads to what is chosen', async () => {
  outcomes = [
    { ok: true, matches: [message(7, 'A lever'), message(9, 'The LEVER again')], more: true },
    { ok: true, matches: [message(3, 'lever, first')], more: false },
  ]
  const onOpen = vi.fn()
  const holder = document.getElementById('app')
  if (holder)
    render(<Search view={null} server="https://penny.example" onOpen={onOpen} onClose={() => undefined} />, holder)
  typeQuery('lever')
  await vi.waitFor(() => expect(hits()).toEqual(['9', '7']))
  expect(document.querySelector('.hit mark')?.textContent).toBe('LEVER')
  document.querySelector<HTMLElement>('#search-more')?.click()
  await vi.waitFor(() => expect(hits()).toEqual(['9', '7', '3']))
  expect(commands).toEqual([
    { type: 'search', text: 'lever' },
    { type: 'search', text: 'lever', before_seq: 7 },
  ])
  document.querySelector<HTMLElement>('[data-found="3"]')?.click()
  expect(onOpen).toHaveBeenCalledWith(message(3, 'lever, first'))
})

it('leads to the search of what is kept, with the words', async () => {
  outcomes = [{ ok: true, matches: [], more: false }]
  const holder = document.getElementById('app')
  if (holder) render(<Search view={null} server="https://penny.example" onOpen={vi.fn()} onClose={vi.fn()} />, holder)
  expect(document.querySelector('#search-kept')).toBeNull()
  typeQuery(' tea & "cups" ')
  await vi.waitFor(() =>
    expect(document.querySelector<HTMLAnchorElement>('#search-kept')?.href).toBe(
      'https://penny.example/kept/?q=tea%20%26%20%22cups%22',
    ),
  )
})

it('says where nothing is found, and what went wrong', async () => {
  outcomes = [
    { ok: true, matches: [], more: false },
    { ok: false, message: 'Penny did not answer.' },
  ]
  const holder = document.getElementById('app')
  if (holder)
    render(
      <Search view={null} server="https://penny.example" onOpen={() => undefined} onClose={() => undefined} />,
      holder,
    )
  typeQuery('nothing')
  await vi.waitFor(() => expect(document.querySelector('.nothing')?.textContent).toContain('No message'))
  typeQuery('something')
  await vi.waitFor(() => expect(document.querySelector('.problem')?.textContent).toBe('Penny did not answer.'))
})

it('shows the words with some of what stands around them', () => {
  expect(snippetAround('short text', 'TEXT')).toEqual(['short ', 'text', ''])
  const [before, hit, after] = snippetAround(`${'a'.repeat(100)} needle ${'b'.repeat(400)}`, 'needle in')
  expect([before.startsWith('… '), hit, after.endsWith(' …')]).toEqual([true, 'needle', true])
  expect(snippetAround('a link', 'example')).toEqual(['', '', 'a link'])
})

it('shows the words without their marks, and runs nothing of them', () => {
  const html =
    '<p>A <strong>lever</strong>\n<a href="https://a.example">a.example</a></p><img src=x onerror="alert(1)">'
  expect(plainText(html)).toBe('A lever a.example')
})

it('finds in what is kept here what the server would find in it', () => {
  const all = [
    message(1, 'Éspresso and levers'),
    message(2, 'levers'),
    { ...message(3, 'levers'), kind: 'reaction' as const },
  ]
  expect(messagesContaining(all, 'LEVER éspresso').map(({ seq }) => seq)).toEqual([1])
  expect(messagesContaining(all, 'lever').map(({ seq }) => seq)).toEqual([1, 2])
})
