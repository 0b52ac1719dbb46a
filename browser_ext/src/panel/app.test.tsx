// @vitest-environment page
// The whole panel: how it opens, the pictures of messages, the reply of a draft. The background is played by the test.
import { render } from 'preact'
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { EMPTY_STATE, type PanelEvent, type PanelState } from '../state/panel_state'
import type { Message } from '../protocol.gen'
import { stored } from '../state/stored'
import { App } from './app'

const SERVER = 'http://127.0.0.1:8787'
const IMAGE = `${SERVER}/pictures/${'a'.repeat(64)}.webp`
const fields = {
  device_label: 'Phone',
  kind: 'chat',
  created_at: '2026-01-02T03:04:05Z',
  origin: ['owner'],
} satisfies Partial<Message>
const question: Message = {
  ...fields,
  id: 'q',
  seq: 1,
  direction: 'in',
  text: 'What is this?',
  html: '<p>What is this?</p>',
  turn_id: 't',
  attachments: [{ name: 'stove.jpg', mime: 'image/jpeg', size_bytes: 9, image: IMAGE }],
}
const answer: Message = {
  ...fields,
  id: 'a',
  seq: 2,
  direction: 'out',
  text: 'A stove.',
  html: '<p>A stove.</p>',
  turn_id: 't',
}

let listeners: ((event: PanelEvent) => void)[] = []
const tell = (event: PanelEvent) => listeners.forEach((listener) => listener(event))
let addresses: string[]
let isThere: boolean

beforeEach(async () => {
  vi.unstubAllGlobals()
  fakeBrowser.reset()
  document.body.innerHTML = '<div id="app"></div>'
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined
      disconnect = () => undefined
      unobserve = () => undefined
    },
  )
  Element.prototype.scrollTo ??= () => undefined
  addresses = []
  isThere = false
  const port = {
    onMessage: { addListener: (listener: (event: PanelEvent) => void) => void listeners.push(listener) },
    onDisconnect: { addListener: () => undefined },
    disconnect: () => undefined,
  }
  Object.assign(fakeBrowser.runtime, { connect: () => port })
  vi.spyOn(fakeBrowser.tabs, 'query').mockResolvedValue([])
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation((async (command: {
    type: string
    address?: string
  }) => {
    if (command.type !== 'picture') return { ok: true }
    addresses.push(command.address ?? '')
    return isThere
      ? { ok: true, image: 'data:image/webp;base64,AAAA' }
      : { ok: false, message: 'That picture is gone.' }
  }) as never)
  await stored.pairing.setValue({ server: SERVER, device_id: 'd', server_public_key: 'k', label: 'Desk' })
})

async function open(messages: Message[], more: Partial<PanelState> = {}): Promise<void> {
  listeners = []
  const holder = document.getElementById('app')
  if (holder) render(<App />, holder)
  await vi.waitUntil(() => listeners.length)
  const state: PanelState = {
    ...EMPTY_STATE,
    pairing: { server: SERVER, label: 'Desk', device_id: 'd' },
    connection: { name: 'connected' },
    messages,
    ...more,
  }
  tell({ type: 'state', state })
  await vi.waitFor(() => expect(document.querySelector('[data-seq="1"]')).not.toBeNull())
}

it('draws only what is new, however long the conversation is', async () => {
  const seqs = new Set<number>()
  const messages = Array.from({ length: 60 }, (_, place): Message => {
    const get = () => (seqs.add(place), 'Phone') // read by what draws a message, and by nothing else
    return Object.defineProperty({ ...answer, id: `m${place}`, seq: place + 1 }, 'device_label', { get })
  })
  await open(messages)
  await vi.waitFor(() => expect(seqs.size).toBe(60))
  seqs.clear()
  tell({ type: 'turn', frame: { type: 'turn.started', turn_id: 'new' } as never })
  tell({ type: 'turn', frame: { type: 'turn.delta', turn_id: 'new', text: 'It is ' } as never })
  await vi.waitFor(() => expect(document.querySelector('.turn .text')?.textContent).toContain('It is'))
  tell({ type: 'message', message: { ...answer, id: 'new', seq: 61 } })
  await vi.waitFor(() => expect(document.querySelector('[data-seq="61"]')).not.toBeNull())
  expect(seqs.size).toBe(0)
})

it('shows what a turn asks before what waits for days, and takes no click for it that was meant for that', async () => {
  const ask = (request_id: string, seconds: number) => ({
    type: 'grant.ask' as const,
    request_id,
    host: `${request_id}.example`,
    capability: 'read' as const,
    reason: '',
    expires_at: new Date(Date.now() + seconds * 1000).toISOString(),
  })
  const askedHost = () => document.querySelector('.ask .question b')?.textContent
  const isGuarded = () => document.querySelector<HTMLButtonElement>('.ask button')?.disabled
  await open([question], { asks: [ask('day', 86_400)] })
  expect([askedHost(), isGuarded()]).toEqual(['day.example', false])
  tell({ type: 'change', change: { asks: [ask('turn', 60), ask('day', 86_400)] } })
  await vi.waitFor(() => expect([askedHost(), isGuarded()]).toEqual(['turn.example', true]))
  await vi.waitFor(() => expect(isGuarded()).toBe(false))
})

it('shows a picture that was sent elsewhere by its name, and itself as soon as it was answered', async () => {
  await open([question])
  await vi.waitFor(() => expect(addresses).toEqual([IMAGE]))
  expect(document.querySelector('[data-seq="1"] .files .chip')?.textContent).toBe('stove.jpg')
  isThere = true
  tell({ type: 'message', message: answer })
  await vi.waitFor(() =>
    expect(document.querySelector<HTMLImageElement>('[data-seq="1"] .pictured img')?.alt).toBe('stove.jpg'),
  )
  expect(addresses).toEqual([IMAGE, IMAGE])
})

it('keeps what a draft replies to while it is closed', async () => {
  await open([question, answer])
  document.querySelector<HTMLElement>('[data-seq="2"] [data-act="quote"]')?.click()
  await vi.waitFor(async () => expect((await stored.draftQuoted.getValue())?.id).toBe('a'))
  document.body.innerHTML = '<div id="app"></div>'
  await open([question, answer])
  await vi.waitFor(() => expect(document.querySelector('.replies')?.textContent).toContain('A stove.'))
  document.querySelector<HTMLElement>('#quote-off')?.click()
  await vi.waitFor(async () => expect(await stored.draftQuoted.getValue()).toBeNull())
})

it('has the box before all of a long conversation, and all of it soon after', async () => {
  const many = Array.from({ length: 100 }, (_, index): Message => ({
    ...answer,
    id: `m${index}`,
    seq: index + 1,
    turn_id: `t${index}`,
  }))
  const counts: number[] = []
  const count = () => document.querySelectorAll('.message[data-seq]').length
  const watching = new MutationObserver(() => document.getElementById('composer') && counts.push(count()))
  watching.observe(document.body, { childList: true, subtree: true })
  await open(many)
  await vi.waitFor(() => expect(count()).toBe(100))
  watching.disconnect()
  expect([counts[0], Math.max(...counts.slice(1).map((count, place) => count - (counts[place] ?? 0)))]).toEqual([8, 16])
  expect(
    [...document.querySelectorAll<HTMLElement>('.message[data-seq]')].map(({ dataset }) => Number(dataset.seq)),
  ).toEqual(many.map(({ seq }) => seq))
})

it('is temporary when it is opened again, replies to nothing then, and shows of its answers where they come from', async () => {
  const inPassing: Message = { ...answer, id: 'p', seq: 0, temporary: true, origin: ['owner', 'stoves.example'] }
  const failure: Message = { ...inPassing, id: 'f', kind: 'failure', turn_id: 'u' }
  await open([question, answer], {
    isTemporary: true,
    temporary: [
      { turn_id: 't', question: 'And this?', answer: inPassing },
      { turn_id: 'u', question: 'Why?', answer: failure },
    ],
  })
  expect(document.querySelector('#temporary')?.getAttribute('aria-pressed')).toBe('true')
  const [first, second] = [...document.querySelectorAll('.message.out.temporary')]
  expect(first?.querySelector('.origins')?.textContent).toContain('stoves.example')
  expect(
    [...(first?.querySelectorAll<HTMLElement>('.acts [data-act]') ?? [])].map(({ dataset }) => dataset.act),
  ).toEqual(['copy'])
  expect(first?.querySelector('[data-action="ask-again"]')).toBeNull()
  second?.querySelector<HTMLElement>('[data-action="ask-again"]')?.click()
  expect(fakeBrowser.runtime.sendMessage).toHaveBeenCalledWith({ type: 'ask_temporary_again', turn_id: 'u' })
  document.querySelector<HTMLElement>('[data-seq="2"] [data-act="quote"]')?.click()
  await vi.waitFor(() =>
    expect(document.querySelector('.composer [role="alert"]')?.textContent).toContain('replies to nothing'),
  )
  expect(document.querySelector('.replies')).toBeNull()
  document.querySelector<HTMLElement>('#temporary')?.click()
  expect(fakeBrowser.runtime.sendMessage).toHaveBeenCalledWith({ type: 'set_temporary', on: false })
})

it('shows what nobody answered below its answer for a day, as one button for each question', async () => {
  const until = new Date(Date.now() + 60_000).toISOString()
  const late_asks = [
    { ask_id: 'one', hosts: ['pens.example'], until },
    { ask_id: 'engine', hosts: ['html.duckduckgo.com'], engine: 'DuckDuckGo', until },
    { ask_id: 'several', hosts: ['a.example', 'b.example', 'c.example'], until },
    { ask_id: 'over', hosts: ['over.example'], until: '2026-01-02T03:04:05Z' },
  ]
  await open([question, { ...answer, late_asks }])
  const buttons = [...document.querySelectorAll<HTMLElement>('[data-seq="2"] [data-action="allow-late"]')]
  expect(buttons.map((button) => button.textContent)).toEqual([
    'Allow pens.example',
    'Allow DuckDuckGo',
    'Allow 3 sites',
  ])
  expect(document.querySelector('.late')?.textContent).toContain('a.example, b.example, c.example')
  buttons[0]?.click()
  expect(fakeBrowser.runtime.sendMessage).toHaveBeenCalledWith({ type: 'allow_late', ask_id: 'one' })
})

it('has a button below an answer that is not whole, until Penny was asked to go on with it', async () => {
  const button = () => document.querySelector<HTMLElement>('[data-seq="2"] [data-action="go-on-with"]')
  await open([question, { ...answer, goes_on: true }])
  button()?.click()
  expect(fakeBrowser.runtime.sendMessage).toHaveBeenCalledWith({ type: 'go_on', message_id: answer.id })
  const further: Message = { ...question, id: 'further', seq: 3, text: 'Go on', parent_id: answer.id }
  tell({ type: 'change', change: { isStopped: true } })
  await vi.waitFor(() => expect(button()).toBeNull())
  tell({ type: 'change', change: { isStopped: false } })
  await vi.waitFor(() => expect(button()).not.toBeNull())
  tell({ type: 'change', change: { messages: [question, { ...answer, goes_on: true }, further] } })
  await vi.waitFor(() => expect(button()).toBeNull())
})

it('says while everything is stopped that it is, and a refused question ends in the button to go on', async () => {
  const refusal: Message = { ...answer, kind: 'failure', text: 'Everything is stopped.' }
  const buttons = () => [...document.querySelectorAll<HTMLElement>('#stopped button, [data-seq="2"] > button')]
  const acts = () => buttons().map(({ dataset }) => dataset.action)
  await open([question, refusal], { isStopped: true })
  expect(acts()).toEqual(['go-on', 'go-on'])
  buttons()[0]?.click()
  expect(fakeBrowser.runtime.sendMessage).toHaveBeenCalledWith({ type: 'send', text: '/resume', thread: 'main' })
  const reach = (name: string, isStopped: boolean) =>
    tell({ type: 'change', change: { connection: { name } as PanelState['connection'], isStopped } })
  reach('reconnecting', true)
  await vi.waitFor(() => expect(acts()).not.toContain('go-on'))
  reach('connected', false)
  await vi.waitFor(() => expect(acts()).toEqual(['ask-again']))
})

it('puts a message into the box to be changed, with its files, and keeps the draft that was there', async () => {
  await open([question, answer])
  const box = document.querySelector<HTMLTextAreaElement>('#composer')
  if (box) box.value = 'Half a question'
  box?.dispatchEvent(new Event('input', { bubbles: true }))
  await vi.waitFor(() => expect(document.querySelector<HTMLButtonElement>('#send')?.disabled).toBe(false))
  document.querySelector<HTMLElement>('[data-seq="1"] [data-act="edit"]')?.click()
  await vi.waitFor(() => expect(box?.value).toBe('What is this?'))
  await vi.waitFor(() => expect(document.querySelector('.replies')).not.toBeNull())
  document.querySelector<HTMLElement>('#send')?.click()
  await vi.waitFor(() => expect(box?.value).toBe('Half a question'))
  expect(fakeBrowser.runtime.sendMessage).toHaveBeenCalledWith({
    type: 'send',
    thread: 'main',
    text: 'What is this?',
    parent_id: 'q',
  })
})

it('brings the draft back where the words that took its place are deleted, and nothing of those that were only looked at', async () => {
  const { attachments: _, ...plain } = question
  await open([plain, { ...plain, id: 'r', seq: 2, turn_id: 'u', text: 'And that?' }])
  const box = document.querySelector<HTMLTextAreaElement>('#composer')
  const typeText = (words: string) => {
    if (box) box.value = words
    box?.dispatchEvent(new Event('input', { bubbles: true }))
  }
  typeText('Half a question')
  await vi.waitFor(() => expect(document.querySelector<HTMLButtonElement>('#send')?.disabled).toBe(false))
  document.querySelector<HTMLElement>('[data-seq="1"] [data-act="edit"]')?.click()
  await vi.waitFor(() => expect(document.querySelector('.aside')).not.toBeNull())
  document.querySelector<HTMLElement>('[data-seq="2"] [data-act="edit"]')?.click()
  await vi.waitFor(() => expect(box?.value).toBe('And that?'))
  typeText('')
  await vi.waitFor(() => expect(box?.value).toBe('Half a question'))
  expect(document.querySelector('.aside')).toBeNull()
})

it('offers no editing of a thumb', async () => {
  await open([question, { ...question, id: 'r', seq: 2, kind: 'reaction', text: '👍', thought_id: 'h', reaction: 1 }])
  await vi.waitFor(() => expect(document.querySelector('[data-seq="2"] [data-act="copy"]')).not.toBeNull())
  expect(['1', '2'].map((seq) => document.querySelector(`[data-seq="${seq}"] [data-act="edit"]`) !== null)).toEqual([
    true,
    false,
  ])
})

it('knows the own messages by the device, whatever it was named then, and older ones by its name', async () => {
  const { attachments: _, ...plain } = question
  const at = (seq: number, fields: Partial<Message>): Message => ({
    ...plain,
    id: `m${seq}`,
    seq,
    turn_id: `t${seq}`,
    ...fields,
  })
  await open([
    at(1, { device_id: 'd', device_label: 'Old name' }),
    at(2, { device_id: 'e', device_label: 'Desk' }),
    at(3, { device_label: 'Desk' }),
    at(4, {}),
  ])
  const deviceNames = [...document.querySelectorAll('.message[data-seq]')].map(
    (item) => item.querySelector('.device')?.textContent ?? '',
  )
  expect(deviceNames).toEqual(['', 'Desk', '', 'Phone'])
})

it('shows what Penny drew with her answer, and the picture of a page on its card: both are shown large when they are pressed', async () => {
  HTMLDialogElement.prototype.showModal = () => undefined
  isThere = true
  const turn_id = '0b1c5d0e-0000-4000-8000-000000000000'
  const picturePage = { url: `https://penny.example/turns/${turn_id}/`, title: 'a lighthouse', image: IMAGE }
  const about = { url: 'https://shop.example/mug', title: 'A mug', image: `${SERVER}/pictures/${'b'.repeat(64)}.webp` }
  const { attachments: _, ...plain } = question
  await open([
    { ...plain, turn_id, kind: 'command', page: picturePage },
    { ...answer, turn_id, page: picturePage },
    { ...plain, id: 'p', seq: 3, turn_id: 'u', page: about },
  ])
  await vi.waitFor(() =>
    expect(document.querySelector<HTMLElement>('[data-seq="2"] .drawn button')?.title).toBe('Enlarge a lighthouse'),
  )
  expect(document.querySelector('[data-seq="1"] :is(.page, .drawn)')).toBeNull()
  expect(document.querySelector('[data-seq="2"] .page')).toBeNull()
  await vi.waitFor(() => expect(document.querySelector('[data-seq="3"] .page button')).not.toBeNull())
  expect(document.querySelector<HTMLAnchorElement>('[data-seq="3"] .page a')?.href).toBe('https://shop.example/mug')
  document.querySelector<HTMLElement>('[data-seq="3"] .page button')?.click()
  expect(document.querySelector('dialog')?.getAttribute('aria-label')).toBe('A mug')
  document.querySelector('dialog')?.remove()
})

it('opens with the caret in the box, and says of the connection in words only what is wrong', async () => {
  const status = () => document.querySelector<HTMLElement>('#status')
  await open([question])
  expect(document.activeElement?.id).toBe('composer')
  const dotName = document.querySelector('.top .dot')?.getAttribute('aria-label')
  expect([status()?.hidden, dotName]).toEqual([true, 'Connected'])
  tell({ type: 'change', change: { toolUse: false } })
  await vi.waitFor(() => expect(status()?.hidden).toBe(false))
  tell({ type: 'change', change: { toolUse: true } })
  tell({ type: 'change', change: { connection: { name: 'reconnecting' } } })
  await vi.waitFor(() => expect([status()?.dataset.state, status()?.hidden]).toEqual(['reconnecting', true]))
  await vi.waitFor(() => expect(status()?.hidden).toBe(false))
})

it('is one Tab stop for all messages, and their controls for the one that has the focus', async () => {
  await open([question, answer])
  const log = document.querySelector<HTMLElement>('#log')
  const stops = () => [...(log?.querySelectorAll<HTMLElement>('a[href], button') ?? [])].filter((e) => e.tabIndex >= 0)
  const press = (key: string) =>
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  const current = () => document.activeElement?.getAttribute('data-seq')
  Element.prototype.scrollIntoView ??= () => undefined
  await vi.waitFor(() => expect(stops()).toEqual([]))
  log?.focus()
  press('k')
  expect([current(), stops().every((stop) => stop.closest('[data-seq="2"]'))]).toEqual(['2', true])
  press('k')
  press('k')
  expect(current()).toBe('1')
  press('Enter')
  expect([document.activeElement?.closest('[data-seq]')?.getAttribute('data-seq'), current()]).toEqual(['1', null])
  press('Escape')
  expect([document.activeElement?.id, stops()]).toEqual(['log', []])
})

it('announces the words of an answer without the addresses of its links', async () => {
  await open([question])
  const html = `<p>No browser is connected.</p>\n<p><a href="${SERVER}/setup/#browsers">Connect a browser</a></p>`
  tell({ type: 'message', message: { ...answer, text: `[Connect a browser](${SERVER}/setup/#browsers)`, html } })
  const spoken = () => document.querySelector('[aria-live="polite"].unseen')?.textContent
  await vi.waitFor(() => expect(spoken()).toBe('Penny: No browser is connected. Connect a browser'))
})

it('keeps the button of a lost connection while it tries, and gives its focus to the box then', async () => {
  const reach = (name: PanelState['connection']['name']) =>
    tell({ type: 'change', change: { connection: { name } as PanelState['connection'] } })
  await open([question], { connection: { name: 'reconnecting' } as PanelState['connection'] })
  const button = await vi.waitUntil(() => document.getElementById('reconnect'))
  button.focus()
  reach('connecting')
  await vi.waitFor(() => expect(document.getElementById('status')?.dataset.state).toBe('connecting'))
  expect(document.activeElement?.id).toBe('reconnect')
  reach('connected')
  await vi.waitFor(() => expect(document.getElementById('reconnect')).toBeNull())
  expect(document.activeElement?.id).toBe('composer')
})
