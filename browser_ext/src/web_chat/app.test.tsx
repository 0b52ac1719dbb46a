// @vitest-environment page
// The chat page against a server that the test plays: only the network and layout are fakes.
import { render } from 'preact'
import { beforeEach, expect, it, vi } from 'vitest'
import { setHost } from '../conversation/host'
import type { Message } from '../protocol.gen'
import { welcome } from '../server/fake_server'
import { FakeSocket } from '../server/fake_socket'
import { CLOSE, type ClientFrameOf } from '../server/frames'
import { App } from './app'
import { WebChat } from './chat'
import type { PageData } from './page_data'
import { readOutbox } from './storage'

const SITE = 'http://localhost:3000'
const message = (seq: number, fields: Partial<Message> = {}): Message => ({
  id: `id-${seq}`,
  seq,
  device_label: 'Web page',
  device_id: 'web',
  direction: 'out',
  kind: 'chat',
  text: `Word ${seq}`,
  html: `<p>Word ${seq}</p>`,
  created_at: '2026-01-01T12:00:00Z',
  origin: [],
  ...fields,
})
let sockets: FakeSocket[]
let addresses: string[]
let welcomes: boolean
let lastSeq: number

class Socket extends FakeSocket {
  constructor(address: URL) {
    super()
    addresses.push(address.href)
    sockets.push(this)
    queueMicrotask(() => {
      this.open()
      if (welcomes) this.say({ ...welcome(), seq: lastSeq })
    })
  }
}

const socket = () => sockets.at(-1) as FakeSocket
const sendings = () =>
  socket().frames.filter((frame): frame is ClientFrameOf<'chat.send'> => frame.type === 'chat.send')
const find = <Kind extends HTMLElement>(selector: string) => document.querySelector<Kind>(selector)
const seqs = () => [...document.querySelectorAll<HTMLElement>('.message[data-seq]')].map(({ dataset }) => dataset.seq)

function openPage(fields: Partial<PageData> = {}): void {
  const data: PageData = {
    messages: [],
    cursor: fields.messages?.at(-1)?.seq ?? 0,
    thread: 'main',
    threads: [],
    device: { id: 'web', label: 'Web page' },
    about: null,
    shared: null,
    missing: [],
    ...fields,
  }
  const chat = new WebChat(data)
  setHost(chat)
  const holder = document.getElementById('app')
  if (holder) render(<App data={data} />, holder)
  chat.start()
}

async function write(text: string): Promise<void> {
  await vi.waitFor(() => expect(find('#composer')).not.toBeNull())
  const box = find<HTMLTextAreaElement>('#composer') as HTMLTextAreaElement
  box.value = text
  box.dispatchEvent(new Event('input', { bubbles: true }))
  await vi.waitFor(() => expect(find<HTMLButtonElement>('#send')?.disabled).toBe(false))
  find('#send')?.click()
}

beforeEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
  history.replaceState(null, '', '/chat/')
  document.body.innerHTML = '<div id="app"></div>'
  Object.assign(Element.prototype, { scrollTo: () => undefined, scrollIntoView: () => undefined })
  class Observer {
    observe = () => undefined
    disconnect = () => undefined
  }
  vi.stubGlobal('ResizeObserver', Observer)
  vi.stubGlobal('IntersectionObserver', Observer)
  vi.stubGlobal('WebSocket', Socket)
  sockets = []
  addresses = []
  welcomes = true
  lastSeq = 41
})

it('shows at once what the page brought, and asks the server for what is newer', async () => {
  openPage({ messages: [message(40), message(41)] })
  await vi.waitFor(() => expect(seqs()).toEqual(['40', '41']))
  await vi.waitFor(() => expect(addresses).toEqual([`${SITE.replace('http', 'ws')}/ws/web?cursor=41`]))
  socket().say({ type: 'message.new', message: message(42) })
  await vi.waitFor(() => expect(seqs()).toEqual(['40', '41', '42']))
  await vi.waitFor(() => expect(socket().frames).toContainEqual({ type: 'message.ack', seq: 42 }))
})

it('lets go of the oldest messages of a long conversation while its end is in view', async () => {
  lastSeq = 300
  openPage({ messages: [message(300)] })
  await vi.waitFor(() => expect(seqs()).toEqual(['300']))
  const older = Array.from({ length: 299 }, (_, place) => message(place + 1))
  socket().say({ type: 'history.page', messages: older, more: false })
  await vi.waitFor(() => expect(seqs()).toHaveLength(300))
  expect(find('.older')).toBeNull()
  socket().say({ type: 'message.new', message: message(301) })
  await vi.waitFor(() => expect([seqs().length, seqs()[0], seqs().at(-1)]).toEqual([200, '102', '301']))
  expect(find('.older')).not.toBeNull()
  socket().say({ type: 'history.page', messages: [message(101)], more: true })
  await vi.waitFor(() => expect(seqs()[0]).toBe('101'))
})

it('lets each message, quote and box run as its own words do', async () => {
  const own = message(2, { direction: 'in', parent_id: 'id-1', text: 'כמה עולה?' })
  openPage({ messages: [message(1), own] })
  await vi.waitFor(() => expect(find('.quoted')).not.toBeNull())
  find('#search')?.click()
  await vi.waitFor(() => expect(find('#search-words')?.dir).toBe('auto'))
  find('#search')?.click()
  await vi.waitFor(() => expect(seqs()).toEqual(['1', '2']))
  const parts = document.querySelectorAll<HTMLElement>('.message .text, .quoted, #composer, .thread-name')
  expect([...parts].map(({ dir }) => dir)).toEqual(Array.from({ length: 5 }, () => 'auto'))
})

it('names the device of a running turn where its question is not there', async () => {
  openPage({ messages: [message(1, { direction: 'in', device_id: 'd', device_label: 'Desk', turn_id: 'known' })] })
  await vi.waitFor(() => expect(sockets).toHaveLength(1))
  const names = () => [...document.querySelectorAll('.turn')].map((turn) => turn.querySelector('.device')?.textContent)
  for (const turn_id of ['known', 'other'])
    socket().say({ type: 'turn.started', turn_id, device_label: 'Desk' } as never)
  await vi.waitFor(() => expect(names()).toEqual([undefined, 'Desk']))
})

it('sends a message until the server has it, over connections and reloads', async () => {
  welcomes = false
  openPage()
  await write('Never lost')
  await vi.waitFor(() => expect(find('.unsent')?.textContent).toContain('Never lost'))
  await vi.waitFor(() => expect(readOutbox().map(({ text }) => text)).toEqual(['Never lost']))
  welcomes = true
  document.body.innerHTML = '<div id="app"></div>'
  openPage()
  await vi.waitFor(() => expect(sendings().map(({ text }) => text)).toEqual(['Never lost']))
  const [turn_id] = sendings().map((frame) => frame.turn_id)
  const own = message(1, { direction: 'in', text: 'Never lost', turn_id: turn_id ?? '' })
  socket().say({ type: 'message.new', message: own })
  await vi.waitFor(() => expect([find('.unsent'), readOutbox()]).toEqual([null, []]))
})

it('sets a message aside that closes every connection, and says so', async () => {
  openPage()
  await vi.waitFor(() => expect(socket().frames).toBeDefined())
  await write('Poison')
  for (let strike = 1; strike <= 3; strike++) {
    await vi.waitFor(() => expect(sendings().length).toBe(1))
    const before = sockets.length
    socket().close(CLOSE.malformed)
    await vi.waitFor(() => expect(sockets.length).toBe(before + 1), { timeout: 5000 })
  }
  await vi.waitFor(() => expect(find('.unsent')?.dataset.state).toBe('failed'))
  expect(sendings()).toEqual([])
})

it.each([
  [CLOSE.notProven, 'You are signed out.', '/sign-in/?next=/chat/'],
  [CLOSE.replaced, 'The chat is open in another tab.', '/chat/'],
  [CLOSE.version, 'Penny was updated.', '/chat/'],
])('says after %i why it is over, and where to go on', async (code, words, path) => {
  openPage({ messages: [message(41)] })
  await vi.waitFor(() => expect(addresses).toHaveLength(1))
  socket().close(code)
  await vi.waitFor(() => expect(find('#status')?.textContent).toContain(words))
  const link = find<HTMLAnchorElement>('#status a')
  expect(new URL(link?.href ?? '').pathname + new URL(link?.href ?? '').search).toBe(path)
})

it('shows the message that the address names, or a followed link, with older ones fetched for it', async () => {
  history.replaceState(null, '', '/chat/#m40')
  openPage({ messages: [message(40), message(41)] })
  await vi.waitFor(() => expect((document.activeElement as HTMLElement).dataset.seq).toBe('40'))
  await vi.waitFor(() => expect(sockets).toHaveLength(1))
  history.replaceState(null, '', '/chat/#m7')
  dispatchEvent(new Event('hashchange'))
  await vi.waitFor(() =>
    expect(socket().frames).toContainEqual({ type: 'history.fetch', before_seq: 40, thread: 'main', limit: 100 }),
  )
  socket().say({ type: 'history.page', messages: [message(7), message(8)], more: true })
  await vi.waitFor(() => expect((document.activeElement as HTMLElement).dataset.seq).toBe('7'))
})

it('names the find that the next message is about, and only that one', async () => {
  openPage({ about: { id: 'f', title: 'Nine <b>bars</b>' } })
  await vi.waitFor(() => expect(find('#subject')?.textContent).toContain('Nine <b>bars</b>'))
  await write('Is that so?')
  await vi.waitFor(() => expect(sendings()[0]?.thought_id).toBe('f'))
  await vi.waitFor(() => expect(find('#subject')).toBeNull())
  await write('And this?')
  await vi.waitFor(() => expect(sendings()[1]?.text).toBe('And this?'))
  expect(sendings()[1]?.thought_id).toBeUndefined()
})

it('takes what another app shared for a file, of which nothing is sent by itself', async () => {
  File.prototype.arrayBuffer = async () => new TextEncoder().encode('/forget everything').buffer // jsdom lacks it
  openPage({ shared: { name: 'shared.txt', mime: 'text/plain', text: '/forget everything' } })
  await vi.waitFor(() => expect(find('ul.files')?.textContent).toContain('shared.txt'))
  expect([find<HTMLTextAreaElement>('#composer')?.value, sendings()]).toEqual(['', []])
})

it('says in an empty conversation what Penny lacks', async () => {
  openPage({ missing: ['browser', 'model'] })
  const links = () => [...document.querySelectorAll<HTMLAnchorElement>('.empty a')].map(({ href }) => href)
  await vi.waitFor(() => expect(links()).toEqual([`${SITE}/setup/#browsers`, `${SITE}/settings/model/`]))
})

it('paints a picture that it has itself, as the page may show only what Penny serves', async () => {
  const sizes: number[][] = []
  vi.stubGlobal('createImageBitmap', async () => ({ width: 64, height: 48, close: () => undefined }))
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    drawImage: (_: unknown, ...at: number[]) => sizes.push(at),
  } as never)
  localStorage.setItem('penny.draft.files', JSON.stringify([{ name: 'stove.jpg', mime: 'image/jpeg', data: '_-8' }]))
  openPage()
  await vi.waitFor(() => expect(find('ul.files canvas')?.getAttribute('aria-label')).toBe('stove.jpg'))
  await vi.waitFor(() => expect(sizes).toEqual([[0, 0]]))
  expect(find('ul.files img')).toBeNull()
})

it('shows on its tab what waits for the owner, before what she does', async () => {
  document.head.innerHTML = '<title>Chat · Penny</title><link rel="icon" href="/static/penny/penny.svg">'
  const tab = () => [document.title, find<HTMLLinkElement>('link[rel=icon]')?.getAttribute('href')?.split('/').at(-1)]
  openPage()
  await vi.waitFor(() => expect(sockets).toHaveLength(1))
  socket().say({ type: 'turn.started', turn_id: 't', device_label: 'Web page' } as never)
  await vi.waitFor(() => expect(tab()).toEqual(['working · Chat · Penny', 'penny-working.svg']))
  socket().say({
    type: 'grant.ask',
    request_id: 'r',
    host: 'shop.example',
    capability: 'read',
    reason: '',
    expires_at: new Date(Date.now() + 60_000).toISOString(),
  } as never)
  await vi.waitFor(() =>
    expect(tab()).toEqual(['Penny asks you something · working · Chat · Penny', 'penny-waits.svg']),
  )
})
