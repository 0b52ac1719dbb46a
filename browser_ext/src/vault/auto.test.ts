// What a browser keeps by itself: when a page is read, what is sent, and what is not. Only the browser and the server
// are fakes.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { PrivateSigns } from '../extract/private_signs'
import type { GrantInfo } from '../protocol.gen'
import type { RequestFrame } from '../server/frames'
import { EMPTY_STATE, type PanelState } from '../state/panel_state'
import { stored, type KeepMode } from '../state/stored'
import { FakeBrowser, type FakeTab } from '../tools/fake_browser'
import { A_DAY_MOST, A_MINUTE_MOST, AutoKeeper } from './auto'
import { DWELL_MS } from './page_watch'
import { MOST, UNDO_MS, Vault } from './vault'

const URL = 'https://coffee.example/levers'
const TEXT = 'Whoever turns the lever lets water through the coffee, and waits until the cup is full. '.repeat(4)
const SETTLED_MS = 2_000
const SIGNS: PrivateSigns = {
  asksSecret: false,
  personal: 0,
  isWritten: false,
  signsOut: false,
  isPublished: true,
  controls: ['Levers'],
  links: [],
  frames: [],
}
let fake: FakeBrowser
let frames: RequestFrame[]
let shown: PanelState
let isConnected: boolean
let grants: GrantInfo[]
let vault: Vault
let keeper: AutoKeeper

beforeEach(async () => {
  fakeBrowser.reset()
  vi.useFakeTimers({ now: new Date('2026-03-03T10:00:00Z') })
  frames = []
  grants = []
  isConnected = true
  shown = { ...EMPTY_STATE }
  browserWith()
  await start()
  return () => vi.useRealTimers()
})

function browserWith(tab: Partial<FakeTab> = {}, signs: Partial<PrivateSigns> = {}, text = TEXT): void {
  const page = { url: URL, title: 'Levers', text, links: [], extracted_with: 'defuddle', truncated: false, words: 70 }
  fake = new FakeBrowser({
    extraction: { page, fallbacks: [], notice: null, addresses: [], signs: { ...SIGNS, ...signs } },
  })
  fake.tabs.set(5, { id: 5, url: URL, title: 'Levers', status: 'complete', active: true, ...tab })
}

async function start(): Promise<void> {
  const show = (change: Partial<PanelState>) => void Object.assign(shown, change)
  const send = (frame: RequestFrame) => isConnected && frames.push(frame) > 0
  const server = () => 'https://penny.example'
  const onNotKeeping = () => void keeper.switchOff()
  vault = new Vault({ send, server, show, onNotKeeping, onDropped: () => void keeper.countDropped() })
  keeper = new AutoKeeper({
    send,
    server,
    grants: () => grants,
    keep: (tab, capture) => vault.take(tab, capture),
    dropWaiting: (isConcerned) => vault.dropAuto(isConcerned),
    show,
  })
  await Promise.all([vault.load(), keeper.load()])
}

async function switchTo(mode: KeepMode): Promise<void> {
  await keeper.agree('off')
  expect(await keeper.setMode(mode)).toEqual({ ok: true })
}

interface Answer {
  statusCode?: number
  method?: string
  responseHeaders?: { name: string; value: string }[]
}

/** What the browser tells when the owner opens a page. */
function openPage(url = URL, answer: Answer = {}, tabId = 5): void {
  const responseHeaders = [{ name: 'Content-Type', value: 'text/html' }]
  const tab = fake.tabs.get(tabId)
  if (tab) tab.url = url
  fake.onResponseStarted.tell({ tabId, url, statusCode: 200, method: 'GET', responseHeaders, ...answer })
  fake.onCommitted.tell({ tabId, frameId: 0, url })
  fake.onDOMContentLoaded.tell({ tabId, frameId: 0, url })
}

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const sent = () => frames.filter((frame) => frame.type === 'page.keep')
const untilTaken = () => later(DWELL_MS + SETTLED_MS)
const untilSent = () => later(DWELL_MS + SETTLED_MS + UNDO_MS)

describe('off', () => {
  it('is how it starts: nothing is listened to, and nothing is read', async () => {
    openPage()
    await untilSent()
    expect([fake.onCommitted.listeners.size, fake.onResponseStarted.listeners.size, sent()]).toEqual([0, 0, []])
    expect(shown.keepMode.mode).toBe('off')
  })

  it('holds at once, also for what waits, and after a restart', async () => {
    await switchTo('all')
    openPage()
    await untilTaken()
    expect(shown.keeping).toHaveLength(1)
    await keeper.setMode('off')
    await later(2 * UNDO_MS)
    expect([sent(), shown.keeping, shown.keptTabs, fake.onCommitted.listeners.size]).toEqual([[], [], [], 0])
    await start()
    expect(shown.keepMode.mode).toBe('off')
  })

  it('on the server switches it off here, unless the owner just switched it on', async () => {
    await switchTo('sites')
    await keeper.agree('sites')
    await keeper.agree('off')
    expect(shown.keepMode.mode).toBe('off')
    isConnected = false
    await keeper.setMode('all')
    isConnected = true
    await keeper.agree('off')
    expect(frames.at(-1)).toMatchObject({ type: 'device.update', keeping: 'all' })
  })

  it('here is told to a server that thinks otherwise', async () => {
    await keeper.agree('all')
    expect(frames.at(-1)).toMatchObject({ type: 'device.update', keeping: 'off' })
  })

  it('stays with a server that knows of no keeping, and at another one', async () => {
    await keeper.agree(undefined)
    expect(await keeper.setMode('all')).toMatchObject({ ok: false })
    await switchTo('all')
    await keeper.leave()
    expect(shown.keepMode).toMatchObject({ mode: 'off', isKnown: false })
  })

  it('follows when the server refuses', async () => {
    await switchTo('all')
    openPage()
    await untilSent()
    const [frame] = sent()
    await vault.takeAnswer({ type: 'error', code: 'not_keeping', message: '', ref: frame?.ref ?? '' })
    expect([shown.keepMode.mode, shown.keeping]).toEqual(['off', []])
  })
})

describe('a page that is kept by itself', () => {
  beforeEach(() => switchTo('all'))

  it('is read after three seconds in front, and sent ten seconds later', async () => {
    openPage()
    await later(DWELL_MS - 1)
    expect([shown.keeping, shown.keptTabs]).toEqual([[], [5]])
    await later(1 + SETTLED_MS)
    expect([shown.keeping, sent()]).toMatchObject([[{ step: 'waiting', isAuto: true, url: URL }], []])
    await later(UNDO_MS)
    expect(sent()).toMatchObject([{ why: 'auto', masked: 0, page: { url: URL, title: 'Levers' } }])
  })

  it('is never sent once it was undone', async () => {
    openPage()
    await untilTaken()
    expect(await vault.undo(shown.keeping[0]?.ref ?? '')).toBe(true)
    await later(5 * UNDO_MS)
    expect(sent()).toEqual([])
  })

  it('waits for its ten seconds also when no panel is open', async () => {
    openPage()
    await untilTaken()
    vault.sendAtOnce()
    expect(sent()).toEqual([])
  })

  it('is none that the owner left before', async () => {
    openPage()
    await later(DWELL_MS - 1)
    openPage('https://coffee.example/pumps', { statusCode: 404 })
    await untilSent()
    expect(sent()).toEqual([])
  })

  it('has to be in front, in a window that can be seen', async () => {
    browserWith({ active: false })
    await start()
    openPage()
    await untilSent()
    expect(sent()).toEqual([])
    Object.assign(fake.tabs.get(5)!, { active: true })
    fake.windowState = 'minimized'
    fake.onActivated.tell({ tabId: 5, windowId: 1 })
    await untilSent()
    expect(sent()).toEqual([])
    fake.windowState = 'normal'
    fake.onActivated.tell({ tabId: 5, windowId: 1 })
    await untilSent()
    expect(sent()).toHaveLength(1)
  })

  it('is the new one where the page changes its own address', async () => {
    openPage()
    await untilTaken()
    const url = 'https://coffee.example/pumps'
    fake.tabs.get(5)!.url = url
    fake.onHistoryStateUpdated.tell({ tabId: 5, frameId: 0, url })
    await untilSent()
    expect(shown.keeping).toMatchObject([{ url }])
    expect(sent()).toHaveLength(2)
  })

  it('is kept once, however often its tab comes to the front', async () => {
    openPage()
    await untilTaken()
    fake.onActivated.tell({ tabId: 5, windowId: 1 })
    await untilSent()
    expect(sent()).toHaveLength(1)
  })

  it('is none of a frame in the page', async () => {
    fake.onResponseStarted.tell({ tabId: 5, url: URL, statusCode: 200, method: 'GET', responseHeaders: [] })
    fake.onCommitted.tell({ tabId: 5, frameId: 3, url: URL })
    fake.onDOMContentLoaded.tell({ tabId: 5, frameId: 3, url: URL })
    await untilSent()
    expect(sent()).toEqual([])
  })

  it('is none whose answer was not seen: it came from before', async () => {
    fake.onCommitted.tell({ tabId: 5, frameId: 0, url: URL })
    fake.onDOMContentLoaded.tell({ tabId: 5, frameId: 0, url: URL })
    await untilSent()
    expect([sent(), shown.keptTabs]).toEqual([[], []])
  })
})

const header = (name: string, value: string) => ({
  responseHeaders: [
    { name: 'content-type', value: 'text/html' },
    { name, value },
  ],
})

describe('never kept', () => {
  it.each<[string, Partial<FakeTab>, Partial<PrivateSigns>, Answer]>([
    ['a private window', { incognito: true }, {}, {}],
    ['a container', { cookieStoreId: 'firefox-container-1' }, {}, {}],
    ['an error', {}, {}, { statusCode: 500 }],
    ['the answer to a form', {}, {}, { method: 'POST' }],
    ['what may not be stored', {}, {}, header('Cache-Control', 'private, no-store')],
    ['a page that asks for a secret', {}, { asksSecret: true }, {}],
  ])('is %s, and the button says so', async (_what, tab, signs, answer) => {
    await switchTo('all')
    browserWith(tab, signs)
    await start()
    openPage(URL, answer)
    await untilSent()
    expect([sent(), shown.keptTabs, shown.keeping]).toEqual([[], [], []])
  })

  it('is a page of which more than a fiftieth is secrets, or a tab of an errand', async () => {
    await switchTo('all')
    browserWith({}, {}, `${TEXT.slice(0, 300)} Your password: correcthorse99batterystaple`)
    await start()
    openPage()
    await untilSent()
    browserWith()
    await start()
    await stored.errandTabs.setValue([{ id: 5 }] as never)
    openPage()
    await untilSent()
    expect(sent()).toEqual([])
  })

  it('is a site that is not among those chosen', async () => {
    await switchTo('sites')
    openPage()
    await untilSent()
    expect(sent()).toEqual([])
    const always = { scope: 'always', session: 'owner', expires_at: null } as const
    grants = [{ host: 'coffee.example', capability: 'keep', state: 'allowed', ...always }]
    openPage()
    await untilSent()
    expect(sent()).toHaveLength(1)
  })
})

describe('of many pages', () => {
  beforeEach(() => switchTo('all'))

  it('six are kept in a minute', async () => {
    for (let page = 0; page < A_MINUTE_MOST + 2; page++) {
      openPage(`https://coffee.example/${page}`)
      await untilTaken()
    }
    await later(UNDO_MS)
    expect(sent()).toHaveLength(A_MINUTE_MOST)
    await later(60_000)
    openPage('https://coffee.example/later')
    await untilSent()
    expect(sent()).toHaveLength(A_MINUTE_MOST + 1)
  })

  it('so many are kept in a day', async () => {
    await stored.keepCounts.setValue({ day: '2026-03-03', today: A_DAY_MOST, last: [], dropped: 0 })
    browserWith()
    await start()
    openPage()
    await untilSent()
    expect(sent()).toEqual([])
    vi.setSystemTime(new Date('2026-03-04T10:00:00Z'))
    openPage('https://coffee.example/next')
    await untilSent()
    expect(sent()).toHaveLength(1)
  })

  it('the oldest makes room while Penny is away, and is counted', async () => {
    isConnected = false
    for (let page = 0; page <= MOST; page++) {
      openPage(`https://coffee.example/${page}`)
      await later(15_000)
    }
    expect(shown.keepMode.dropped).toBe(1)
    isConnected = true
    vault.tick()
    expect(sent()).toHaveLength(MOST)
  })
})
