// Bars of pages at the background. Only the browser is a fake.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { TextDone } from '../protocol.gen'
import type { RequestFrame } from '../server/frames'
import type { Proposal } from '../state/proposal'
import { Bars } from './bar'
import type { Port } from './own_pages'

const REF = '0b9cbb1e-5a51-4d0e-9f5e-0d2f0f6f2f10'
const ASK = { type: 'ask', ref: REF, task: 'explain', text: 'It rains.', platform: 'text' }
const TAB = { id: 3, windowId: 7, title: 'Rain', incognito: false }

class FakePort {
  readonly told: unknown[] = []
  isOpen = true
  #hear: (value: unknown) => void = () => undefined
  #gone: () => void = () => undefined
  readonly onMessage = { addListener: (listener: (value: unknown) => void) => void (this.#hear = listener) }
  readonly onDisconnect = { addListener: (listener: () => void) => void (this.#gone = listener) }

  constructor(
    readonly name = 'bar',
    readonly sender: object = { id: 'penny', tab: TAB, frameId: 2, url: 'https://rain.example/today?x=1' },
  ) {}

  postMessage = (news: unknown): void => void this.told.push(news)
  disconnect = (): void => void (this.isOpen = false)
  say = (value: unknown): void => this.#hear(value)
  leave = (): void => this.#gone()
}

let sent: RequestFrame[]
let proposals: Proposal[]
let isConnected: boolean
let bars: Bars

beforeEach(async () => {
  fakeBrowser.reset()
  sent = []
  proposals = []
  isConnected = true
  Object.assign(fakeBrowser.runtime, { id: 'penny' })
  Object.assign(fakeBrowser, {
    scripting: { executeScript: vi.fn(async () => [{ frameId: 2, result: true }]) },
    sidePanel: { open: async () => undefined },
  })
  bars = new Bars({
    send: (frame) => isConnected && sent.push(frame) > 0,
    isTemporary: () => false,
    server: () => 'http://127.0.0.1:8787',
    propose: (proposal) => void proposals.push(proposal),
  })
  await bars.bring(TAB.id)
})

function connect(port = new FakePort()): FakePort {
  expect(bars.welcome(port as unknown as Port)).toBe(true)
  return port
}

const delta = { type: 'text.delta', ref: REF, index: 1, text: 'Water' } as const
const done: TextDone = { type: 'text.done', ref: REF, text: 'Water falls.', origin: ['rain.example'], made_by: 'm' }

it('comes into the frame where the cursor is', () => {
  expect(fakeBrowser.scripting.executeScript).toHaveBeenLastCalledWith({
    target: { tabId: 3, frameIds: [2] },
    files: ['/page_basics.js', '/bar.js'],
  })
})

it('asks under the site that the browser tells, and gets its words alone', () => {
  const [one, other] = [connect(), connect()]
  one.say({ ...ASK, host: 'bank.example' })
  const { type: _, ...ask } = ASK
  expect(sent).toEqual([{ type: 'text.ask', ...ask, host: 'rain.example', temporary: false }])
  expect([bars.take(delta), bars.take(done), bars.take(done)]).toEqual([true, true, false])
  expect(one.told.map((news) => (news as { type: string }).type)).toEqual(['delta', 'done'])
  expect(other.told).toEqual([])
})

describe('a port', () => {
  it.each([
    ['of a frame that the owner called none into', { frameId: 0 }],
    ['of another tab', { tab: { ...TAB, id: 4 } }],
    ['of another extension', { id: 'evil' }],
    ['of a private window', { tab: { ...TAB, incognito: true } }],
    ['of a page without an address', { url: 'about:blank' }],
  ])('%s is closed', (_, change) => {
    const port = connect(new FakePort('bar', { ...new FakePort().sender, ...change }))
    port.say(ASK)
    expect([port.isOpen, sent]).toEqual([false, []])
  })

  it('of another name is none of a bar', () => {
    expect(bars.welcome(new FakePort('panel') as unknown as Port)).toBe(false)
  })

  it('of another bar cannot end an ask', () => {
    const [one, other] = [connect(), connect()]
    one.say(ASK)
    other.say({ type: 'cancel', ref: REF })
    expect(sent.map(({ type }) => type)).toEqual(['text.ask'])
    one.say({ type: 'cancel', ref: REF })
    expect(sent.map(({ type }) => type)).toEqual(['text.ask', 'text.cancel'])
  })

  it('that goes ends its ask, and so does the next ask of the same bar', () => {
    const port = connect()
    port.say(ASK)
    port.say({ ...ASK, ref: REF.replace('0b', '0c') })
    port.leave()
    expect(sent.map(({ type }) => type)).toEqual(['text.ask', 'text.cancel', 'text.ask', 'text.cancel'])
    expect(bars.take(done)).toBe(false)
  })
})

it('says where nothing can be sent, and when the connection goes', () => {
  const port = connect()
  isConnected = false
  port.say(ASK)
  isConnected = true
  port.say(ASK)
  bars.lose()
  expect(port.told).toMatchObject([{ type: 'failed' }, { type: 'failed' }])
  expect(bars.take({ type: 'error', code: 'late', message: 'x', ref: REF })).toBe(false)
})

it('puts a passage into the box of the panel, to be sent by the owner', () => {
  connect().say({ type: 'chat', text: 'It rains.' })
  expect(proposals).toMatchObject([{ windowId: 7, tabId: 3, page: { text: 'It rains.', title: '' } }])
  expect(sent).toEqual([])
})
