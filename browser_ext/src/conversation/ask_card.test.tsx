// @vitest-environment page
// A question, and the keys and buttons that answer it. The background is played by the test.
import { render } from 'preact'
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { Ask } from '../state/asks'
import type { PanelCommand } from '../state/panel_state'
import { AskCard } from './ask_card'

const SERVER = 'http://127.0.0.1:8787'
const expires_at = new Date(Date.now() + 60_000).toISOString()
const grant = (host: string, more: Partial<Ask> = {}) =>
  ({ type: 'grant.ask', request_id: host, host, capability: 'read', reason: 'To answer.', expires_at, ...more }) as Ask
let commands: PanelCommand[]

const find = (selector: string) => document.querySelector<HTMLElement>(selector)
const labels = () => [...document.querySelectorAll('.ask button')].map((button) => button.textContent)
const press = (key: string, target: Element | null, more: KeyboardEventInit = {}) =>
  target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...more }))

it('asks at once what the search waits for that the owner started, and reads without their logins', async () => {
  const app = document.getElementById('app')
  const asks = [grant('shop.example', { is_background: true }), grant('keys.example', { is_background: true })]
  if (app) render(<AskCard asks={asks} lookAsks="keys.example" server={SERVER} />, app)
  await vi.waitFor(() => expect(find('.ask button:disabled')).toBeNull())
  expect(find('#ask-question')?.textContent).toBe('May Penny read pages on keys.example?')
  expect(find('#ask-reason')?.textContent).toContain('Without your logins.')
  expect(find('.later')?.textContent).toContain('1 background question')
})

it('says what acting means, and offers none without logins', async () => {
  await show(grant('shop.example', { capability: 'act', reason: 'To do what you asked for there.' }))
  expect(find('#ask-question')?.textContent).toBe('May Penny act on shop.example?')
  expect(find('#ask-reason')?.textContent).toBe(
    'To do what you asked for there. She clicks and types there, with your login if you have one, and still asks before anything that reaches others.',
  )
  find('[data-action="more-answers"]')?.click()
  await vi.waitFor(() => expect(labels().slice(4)).toEqual(['For an hour', 'For this task', 'Block']))
  find('[data-decision="run"]')?.click()
  await vi.waitFor(() =>
    expect(commands).toEqual([{ type: 'answer_grant', request_id: 'shop.example', choice: 'run' }]),
  )
})

async function show(...asks: Ask[]): Promise<void> {
  const app = document.getElementById('app')
  if (app) render(<AskCard asks={asks} server={SERVER} />, app)
  await vi.waitFor(() => expect(find('.ask button:disabled')).toBeNull())
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

it('has three answers, more behind a button, and says which login is used', async () => {
  await show(grant('shop.example'))
  expect(labels()).toEqual(['Allow', 'Just once', 'No', '⋯'])
  expect(find('#ask-reason')?.textContent).toBe('To answer. With your login there, if you have one. Only this site.')
  find('[data-action="more-answers"]')?.click()
  await vi.waitFor(() =>
    expect(labels().slice(4)).toEqual(['For an hour', 'For this task', 'Without my logins', 'Block']),
  )
  find('[data-decision="always_clean"]')?.click()
  await vi.waitFor(() =>
    expect(commands).toEqual([{ type: 'answer_grant', request_id: 'shop.example', choice: 'always_clean' }]),
  )
})

it('asks for a search engine by its name, with the host in small', async () => {
  await show(grant('html.duckduckgo.com', { engine: 'DuckDuckGo', reason: 'To search.' }))
  expect(find('#ask-question')?.textContent).toBe('May Penny search with DuckDuckGo?')
  expect(find('#ask-reason')?.textContent).toContain('html.duckduckgo.com · To search.')
})

it.each([
  ['a', 'always'],
  ['O', 'once'],
  ['n', 'dismiss'],
  ['Escape', 'dismiss'],
])('is answered by %s only while it has the focus', async (key, choice) => {
  await show(grant('shop.example'))
  press(key, find('#composer'))
  press(key, find('.ask'), { ctrlKey: true })
  expect(commands).toEqual([])
  press(key, find('.ask button'))
  await vi.waitFor(() => expect(commands).toEqual([{ type: 'answer_grant', request_id: 'shop.example', choice }]))
})

it.each([
  ['ф', 'KeyA', 'always'],
  ['щ', 'KeyO', 'once'],
  ['ν', 'KeyN', 'dismiss'],
  ['a', 'KeyQ', 'always'],
])('is answered where the layout types %s by %s', async (key, code, choice) => {
  await show(grant('shop.example'))
  press('ö', find('.ask'), { code: 'KeyO' })
  press(key, find('.ask'), { code })
  await vi.waitFor(() => expect(commands).toEqual([{ type: 'answer_grant', request_id: 'shop.example', choice }]))
})

it.each(['always', 'hour', 'block', 'once', 'dismiss'])(
  'says what %s did, and takes back what lasts',
  async (choice) => {
    await show(grant('shop.example'))
    find('[data-action="more-answers"]')?.click()
    await vi.waitFor(() => expect(find('[data-decision="hour"]')).not.toBeNull())
    find(`[data-decision="${choice}"]`)?.click()
    await vi.waitFor(() => expect(commands.length).toBe(1))
    await new Promise((done) => setTimeout(done))
    const isLasting = !['once', 'dismiss'].includes(choice)
    expect(find('.answered [role="status"]')?.textContent).toBe(
      isLasting ? `${choice === 'block' ? 'Blocked' : 'Allowed'}: shop.example` : undefined,
    )
    if (!isLasting) return
    find('#ask-undo')?.click()
    await vi.waitFor(() => expect(find('#ask-undo')).toBeNull())
    expect(commands.slice(1)).toEqual([{ type: 'revoke_grant', grant: { host: 'shop.example', capability: 'read' } }])
  },
)

it('about an act is allowed or not', async () => {
  await show({ type: 'approval.ask', request_id: 'r', text: 'Post it?', expires_at })
  expect(labels()).toEqual(['Allow', 'No'])
  press('o', find('.ask'))
  expect(commands).toEqual([])
  press('n', find('.ask'))
  await vi.waitFor(() => expect(commands).toEqual([{ type: 'answer_approval', request_id: 'r', choice: 'dismiss' }]))
})

it('of background work is a line that leads to it, and no card', async () => {
  await show(grant('one.example', { is_background: true }), grant('two.example', { is_background: true }))
  expect([find('.ask'), find('.later span')?.textContent]).toEqual([null, '2 background questions'])
  expect(find('#answer-later')?.getAttribute('href')).toBe(`${SERVER}/activity/`)
  await show(grant('one.example', { is_background: true }), grant('turn.example'))
  expect([find('.ask b')?.textContent, find('.ask .more'), find('.later span')?.textContent]).toEqual([
    'turn.example',
    null,
    '1 background question',
  ])
})
