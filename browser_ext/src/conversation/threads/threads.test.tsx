// @vitest-environment page
// The list of threads as a host shows it. The host is played by the test.
import { render } from 'preact'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Message, ThreadInfo } from '../../protocol.gen'
import { EMPTY_STATE, type ConversationCommand, type PanelEvent, type PanelState } from '../../state/panel_state'
import { sendCommand, setHost } from '../host'
import { useConversation } from '../use_conversation'
import { ThreadButton } from './thread_button'
import { useThreads } from './use_threads'

const thread = (id: string): ThreadInfo => ({ id, name: `Name ${id}`, used_at: '2026-01-01T00:00:00Z' })
const message = (seq: number, fields: Partial<Message> = {}) =>
  ({ id: `id-${seq}`, seq, direction: 'out', created_at: '2026-01-01T00:00:00Z', ...fields }) as Message
let commands: ConversationCommand[]
let tell: (event: PanelEvent) => void
let storedView: string
let refuses: boolean

const find = <Kind extends HTMLElement>(selector: string) => document.querySelector<Kind>(selector)
const texts = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent)
const ofType = (type: string) => commands.filter((command) => command.type === type)

function Surface() {
  const { state, moreHistory } = useConversation()
  const threads = useThreads(state, moreHistory)
  return (
    <>
      <ThreadButton state={state} threads={threads} />
      <output>{threads.state.messages.map(({ seq }) => seq).join()}</output>
      <textarea id="composer" />
    </>
  )
}

async function show(fields: Partial<PanelState> = {}): Promise<void> {
  const threads = [thread('a'), thread('b')]
  const state = { ...EMPTY_STATE, connection: { name: 'connected' } as const, threads, ...fields }
  document.body.innerHTML = '<div id="app"></div>'
  render(<Surface />, find('#app') as HTMLElement)
  tell({ type: 'state', state })
  await vi.waitFor(() => expect(find('#threads')).not.toBeNull())
}

async function openList(): Promise<void> {
  find('#threads')?.click()
  await vi.waitFor(() => expect(document.activeElement).toBe(find('#thread-search')))
}

async function act(id: string, name: string): Promise<void> {
  find(`[data-thread="${id}"] .thread-more`)?.click()
  await vi.waitFor(() => expect(find(`[data-thread-act="${name}"]`)).not.toBeNull())
  find(`[data-thread-act="${name}"]`)?.click()
}

beforeEach(() => {
  commands = []
  storedView = 'main'
  refuses = false
  let readTo = {}
  const item = { setLast: () => undefined, setValue: async () => undefined }
  setHost({
    listen: (listener) => {
      tell = listener
      return () => undefined
    },
    send: async (command) => {
      commands.push(command)
      return refuses ? { ok: false, message: 'Stop it first.' } : { ok: true, threads: [thread('old')] }
    },
    drafts: {
      text: { ...item, getValue: async () => '' },
      aside: { ...item, getValue: async () => '' },
      files: { ...item, getValue: async () => [] },
      quoted: { ...item, getValue: async () => null },
    },
    view: { getValue: async () => storedView, setValue: async (view) => void (storedView = view) },
    readTo: { ...item, getValue: async () => readTo, setValue: async (value) => void (readTo = value) },
    embedsData: true,
  })
})

it('opens a thread, to which messages are sent from then on, and fetches what is missing of it', async () => {
  await show({ messages: [message(1), message(2, { thread: 'b' })] })
  await openList()
  find('[data-thread="a"] .thread-open')?.click()
  await vi.waitFor(() => expect(ofType('older')).toMatchObject([{ thread: 'a', before_seq: Number.MAX_SAFE_INTEGER }]))
  expect([find('#thread-list'), find('output')?.textContent, storedView]).toEqual([null, '', 'a'])
  expect(document.activeElement).toBe(find('#composer'))
  expect(find('#threads')?.getAttribute('aria-label')).toBe('Conversation: Name a')
  tell({ type: 'history', thread: 'a', messages: [], more: false })
  await sendCommand({ type: 'send', text: 'Hello' })
  expect([ofType('older').length, ofType('send')]).toEqual([1, [{ type: 'send', text: 'Hello', thread: 'a' }]])
})

it('begins a thread, which has no name before its first message', async () => {
  await show({ messages: [message(1)] })
  await openList()
  find('#thread-new')?.click()
  await vi.waitFor(() => expect(find('.thread-name')?.textContent).toBe('New conversation'))
  expect(storedView).toMatch(/^[0-9a-f-]{36}$/)
  tell({ type: 'change', change: { threads: [{ ...thread(storedView), name: 'Grinders' }] } })
  await vi.waitFor(() => expect(find('.thread-name')?.textContent).toBe('Grinders'))
})

it('finds threads by the words of their names, on the server too where there are more', async () => {
  await show({ moreThreads: true })
  await openList()
  const field = find<HTMLInputElement>('#thread-search') as HTMLInputElement
  field.value = 'b name'
  field.dispatchEvent(new Event('input', { bubbles: true }))
  await vi.waitFor(() => expect(texts('.thread-open .thread-name')).toEqual(['Name b', 'Name old']))
  expect(ofType('find_threads')).toEqual([{ type: 'find_threads', text: 'b name' }])
})

it('renames in place', async () => {
  await show()
  await openList()
  await act('a', 'rename')
  await vi.waitFor(() => expect(find('.thread-rename input')).not.toBeNull())
  const field = find<HTMLInputElement>('.thread-rename input') as HTMLInputElement
  field.value = ' Mills '
  field.dispatchEvent(new Event('input', { bubbles: true }))
  find<HTMLFormElement>('.thread-rename')?.requestSubmit()
  await vi.waitFor(() =>
    expect(ofType('rename_thread')).toEqual([{ type: 'rename_thread', thread_id: 'a', name: 'Mills' }]),
  )
  await vi.waitFor(() => expect(document.activeElement).toBe(find('[data-thread="a"] .thread-open')))
})

it('deletes with undo, leaves what was in view, and says why not', async () => {
  storedView = 'a'
  await show({ messages: [message(1, { thread: 'a' }), message(2)] })
  await vi.waitFor(() => expect(find('output')?.textContent).toBe('1'))
  await openList()
  refuses = true
  await act('a', 'delete')
  await vi.waitFor(() => expect(find('.problem')?.textContent).toBe('Stop it first.'))
  refuses = false
  find('[data-thread-act="delete"]')?.click()
  tell({ type: 'change', change: { threads: [thread('b')] } })
  await vi.waitFor(() => expect(document.activeElement).toBe(find('#thread-undo')))
  await vi.waitFor(() => expect([storedView, find('output')?.textContent]).toEqual(['main', '2']))
  find('#thread-undo')?.click()
  await vi.waitFor(() => expect(find('.thread-deleted')).toBeNull())
  expect(ofType('restore_thread')).toEqual([{ type: 'restore_thread', thread_id: 'a' }])
})

it('is used by keys alone', async () => {
  await show()
  await openList()
  const press = (key: string) =>
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  press('ArrowDown')
  press('ArrowDown')
  expect(document.activeElement).toBe(find('[data-thread="a"] .thread-open'))
  press('ArrowUp')
  press('ArrowUp')
  expect(document.activeElement).toBe(find('#thread-search'))
  press('Escape')
  await vi.waitFor(() => expect([find('#thread-list'), document.activeElement]).toEqual([null, find('#threads')]))
})

it('marks where something is new, until it is looked at', async () => {
  await show({ messages: [message(1)] })
  tell({ type: 'message', message: message(2, { thread: 'b' }) })
  await vi.waitFor(() => expect(find('#threads')?.getAttribute('aria-label')).toContain('Something new'))
  await openList()
  expect(texts('[data-thread="b"] .chip')).toEqual(['new'])
  find('[data-thread="b"] .thread-open')?.click()
  await vi.waitFor(() => expect(find('#threads')?.getAttribute('aria-label')).toBe('Conversation: Name b'))
})

it('is not there with a server that knows no threads', async () => {
  await show()
  tell({ type: 'change', change: { threads: null } })
  await vi.waitFor(() => expect(find('#threads')).toBeNull())
})
