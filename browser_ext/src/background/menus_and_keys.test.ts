// The ways to Penny beside her panel. Only the browser is a fake: it tells of what the owner chose.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { Penny } from './penny'
import { listenToKeys, listenToMenus, listenToOmnibox } from './menus_and_keys'

type Listener = (...values: unknown[]) => unknown
const SERVER = 'http://127.0.0.1:8787'
const TAB = { id: 3, windowId: 7, url: 'https://shop.example/mug', title: 'A mug', incognito: false }
let listeners: Record<string, Listener[]>
let menus: { id: string; contexts: string[] }[]
let openings: unknown[]
let createdMenus: string[]
let penny: Penny

beforeEach(async () => {
  fakeBrowser.reset()
  listeners = {}
  menus = []
  openings = []
  createdMenus = []
  const event = (name: string) => ({
    addListener: (listener: Listener) => void (listeners[name] ??= []).push(listener),
  })
  const create = (item: { id: string; contexts: string[] }) => void menus.push(item)
  Object.assign(fakeBrowser, {
    contextMenus: { removeAll: async () => void (menus = []), create, onClicked: event('menu') },
    commands: { onCommand: event('key') },
    omnibox: {
      setDefaultSuggestion: vi.fn(async () => undefined),
      onInputChanged: event('typed'),
      onInputEntered: event('omnibox'),
    },
    sidePanel: { open: async (where: unknown) => void openings.push(where) },
  })
  Object.assign(fakeBrowser.runtime, {
    onInstalled: event('installed'),
    getURL: (path: string) => `chrome-extension://penny${path}`,
  })
  vi.spyOn(fakeBrowser.tabs, 'query').mockResolvedValue([TAB] as never)
  vi.spyOn(fakeBrowser.tabs, 'create').mockImplementation(((tab: { url: string }) =>
    Promise.resolve(void createdMenus.push(tab.url))) as never)
  penny = new Penny(() => undefined)
  await penny.ready
  penny.memory.pairing = { server: SERVER, device_id: 'd', server_public_key: 'k', label: 'Chrome' }
  listenToMenus(penny)
  listenToKeys(penny)
  listenToOmnibox(penny)
})

const tell = (name: string, ...values: unknown[]) => listeners[name]?.forEach((listener) => void listener(...values))
const nextProposal = () => vi.waitUntil(() => penny.memory.panel.proposal)

describe('the menus of a page', () => {
  it('are there for pages of the web alone, each in its place', async () => {
    tell('installed')
    await vi.waitFor(() =>
      expect(menus.map(({ id, contexts }) => [id, ...contexts])).toEqual([
        ['ask_page', 'page'],
        ['summarise', 'page'],
        ['watch', 'page'],
        ['keep', 'page'],
        ['bar', 'selection'],
        ['write', 'editable'],
        ['ask_selection', 'selection'],
        ['remember', 'selection'],
        ['ask_link', 'link'],
        ['ask_image', 'image'],
      ]),
    )
    expect(
      menus.every((item) => JSON.stringify(item).includes('"documentUrlPatterns":["http://*/*","https://*/*"]')),
    ).toBe(true)
  })

  it('open the panel in the same moment, and send nothing', async () => {
    const send = vi.spyOn(penny.connection, 'send')
    tell('menu', { menuItemId: 'ask_selection', selectionText: 'Holds 250 ml.', pageUrl: TAB.url }, TAB)
    expect(openings).toEqual([{ windowId: 7 }])
    expect(await nextProposal()).toMatchObject({
      windowId: 7,
      tabId: 3,
      page: { url: TAB.url, title: 'A mug', text: 'Holds 250 ml.' },
    })
    expect([send.mock.calls.length, penny.memory.panel.unsent.length]).toEqual([0, 0])
  })

  it.each([
    [
      'of another site',
      { frameUrl: 'https://ads.example/x?sid=0123456789abcdef0123456789abcdef' },
      'https://ads.example/x',
      '',
    ],
    ['of the same site', { frameUrl: 'https://shop.example/frame' }, TAB.url, 'A mug'],
    [
      'without an address, within one of another site',
      { frameUrl: 'about:srcdoc', frameId: 9 },
      'https://ads.example/y',
      '',
    ],
    ['without an address, within the page', { frameUrl: 'about:srcdoc', frameId: 8 }, TAB.url, 'A mug'],
  ])('name the site of a passage in a frame %s', async (_, frame, url, title) => {
    const frames: Record<number, { url: string; parentFrameId: number }> = {
      5: { url: 'https://ads.example/y', parentFrameId: 0 },
      8: { url: 'about:srcdoc', parentFrameId: 0 },
      9: { url: 'about:srcdoc', parentFrameId: 5 },
    }
    const getFrame = async ({ frameId }: { frameId: number }) => frames[frameId] ?? null
    Object.assign(fakeBrowser, { webNavigation: { getFrame } })
    vi.spyOn(fakeBrowser.tabs, 'get').mockResolvedValue(TAB as never)
    const info = { menuItemId: 'ask_selection', selectionText: 'Buy', pageUrl: TAB.url, frameId: 4, ...frame }
    tell('menu', info, TAB)
    expect(await nextProposal()).toMatchObject({ page: { url, title } })
  })

  it('take no passage of a frame whose site is not known', async () => {
    tell(
      'menu',
      { menuItemId: 'remember', selectionText: 'x', pageUrl: TAB.url, frameId: 4, frameUrl: 'data:text/html,x' },
      TAB,
    )
    expect(await nextProposal()).toMatchObject({ problem: expect.any(String) as string })
  })

  it('lead to where a price is watched', async () => {
    tell('menu', { menuItemId: 'watch', pageUrl: `${TAB.url}?token=abc#x` }, TAB)
    await vi.waitFor(() => expect(createdMenus).toEqual([`${SERVER}/watches/?url=${encodeURIComponent(TAB.url)}`]))
    expect(openings).toEqual([])
  })

  it('open the panel where there is no price to watch: in a private window, and where there is no Penny', async () => {
    tell('menu', { menuItemId: 'watch', pageUrl: TAB.url }, { ...TAB, incognito: true })
    expect(openings).toEqual([{ windowId: 7 }])
    expect(await nextProposal()).toMatchObject({
      windowId: 7,
      problem: expect.stringContaining('private window') as string,
    })
    penny.memory.pairing = null
    tell('menu', { menuItemId: 'watch', pageUrl: TAB.url }, TAB)
    await vi.waitFor(() => expect(openings).toEqual([{ windowId: 7 }, { windowId: 7 }]))
    expect(createdMenus).toEqual([])
  })

  it('keep the page of a tab by menu and key, and nothing of a private window', async () => {
    const keep = vi.spyOn(penny.vault, 'keep').mockResolvedValue({ ok: true })
    tell('menu', { menuItemId: 'keep', pageUrl: TAB.url }, TAB)
    tell('key', 'keep-page', TAB)
    await vi.waitFor(() => expect(keep.mock.calls).toEqual(Array(2).fill([{ tab_id: 3, url: TAB.url }])))
    expect(openings).toHaveLength(2)
    tell('key', 'keep-page', { ...TAB, incognito: true })
    expect(await nextProposal()).toMatchObject({ problem: expect.stringContaining('private window') as string })
    expect(keep).toHaveBeenCalledTimes(2)
  })

  it('take nothing of a private window, and say what to do first where there is no Penny', async () => {
    tell('menu', { menuItemId: 'ask_selection', selectionText: 'x', pageUrl: TAB.url }, { ...TAB, incognito: true })
    expect(await nextProposal()).toMatchObject({ problem: expect.stringContaining('private window') as string })
    penny.memory.pairing = null
    penny.memory.show({ proposal: null })
    tell('menu', { menuItemId: 'ask_page', pageUrl: TAB.url }, TAB)
    expect(await nextProposal()).toMatchObject({ problem: 'Pair this browser with Penny first.' })
  })
})

describe('a picture that the owner points at', () => {
  const point = (srcUrl: string, tab = TAB) => tell('menu', { menuItemId: 'ask_image', srcUrl, pageUrl: TAB.url }, tab)
  const png = new Uint8Array(24)
  png.set([0x89, 0x50, 0x4e, 0x47])
  new DataView(png.buffer).setUint32(16, 3200)
  new DataView(png.buffer).setUint32(20, 1600)
  let requests: unknown[][]
  let sizes: number[][]

  beforeEach(() => {
    requests = []
    sizes = []
    class Canvas {
      constructor(...size: number[]) {
        sizes.push(size)
      }
      getContext = () => ({ fillRect: () => undefined, drawImage: () => undefined })
      convertToBlob = async () => new Blob([new Uint8Array([255, 239])])
    }
    const answerWithPng = async (...request: unknown[]) => (
      requests.push(request),
      new Response(png, { headers: { 'content-type': 'image/png' } })
    )
    vi.stubGlobal('OffscreenCanvas', Canvas)
    vi.stubGlobal('createImageBitmap', async () => ({ width: 3200, height: 1600, close: () => undefined }))
    vi.stubGlobal('fetch', answerWithPng)
    vi.spyOn(console, 'debug').mockImplementation(() => undefined)
  })
  afterEach(() => void vi.unstubAllGlobals())

  it('is fetched without cookies, made small, and waits in the box to be sent', async () => {
    const send = vi.spyOn(penny.connection, 'send')
    point('https://img.example/a/mug.png?w=3200')
    expect(openings).toEqual([{ windowId: 7 }])
    expect(await nextProposal()).toMatchObject({ file: { name: 'mug.png', mime: 'image/jpeg', data: '_-8' } })
    expect(requests).toMatchObject([
      [{ href: 'https://img.example/a/mug.png?w=3200' }, { credentials: 'omit', referrerPolicy: 'no-referrer' }],
    ])
    expect(sizes).toEqual([[1600, 800]])
    expect([send.mock.calls.length, penny.memory.panel.unsent.length]).toEqual([0, 0])
  })

  it('may stand in the page itself', async () => {
    point(`data:image/png;base64,${btoa(String.fromCharCode(...png))}`)
    expect(await nextProposal()).toMatchObject({ file: { name: 'picture.jpg', data: '_-8' } })
    expect(requests).toEqual([])
  })

  it('is not taken from a private window, nor what is no picture, and says what to do', async () => {
    point('https://img.example/mug.png', { ...TAB, incognito: true })
    expect(await nextProposal()).toMatchObject({ problem: expect.stringContaining('private window') as string })
    expect(requests).toEqual([])
    for (const address of ['blob:https://shop.example/1', 'data:text/html,<p>x', 'https://img.example/page.html']) {
      vi.stubGlobal('fetch', async () => new Response('<p>x', { headers: { 'content-type': 'text/html' } }))
      penny.memory.show({ proposal: null })
      point(address)
      expect(await nextProposal()).toMatchObject({
        problem: 'That picture could not be fetched. Copy it, and paste it here.',
      })
    }
  })
})

it('keys ask about the page in front', async () => {
  tell('key', 'summarise-page', TAB)
  expect(await nextProposal()).toMatchObject({ wants: 'summary', windowId: 7, tabId: 3 })
  penny.memory.show({ proposal: null })
  tell('key', 'ask-page', undefined)
  expect(await nextProposal()).toMatchObject({ wants: 'page', windowId: 7, tabId: 3 })
})

it('what is entered after her name in the address bar is the message, and the panel opens in the same moment', async () => {
  tell('typed', 'How hot')
  await new Promise((resolve) => setTimeout(resolve))
  tell('omnibox', 'How hot is espresso?')
  expect(openings).toEqual([{ windowId: 7 }])
  await vi.waitFor(() =>
    expect(penny.memory.panel.unsent).toMatchObject([{ text: 'How hot is espresso?', state: 'queued' }]),
  )
  expect(openings).toEqual([{ windowId: 7 }])
})

it('is temporary in the address bar too, where the owner turned that on', async () => {
  await penny.memory.setTemporary(true)
  tell('omnibox', 'In passing')
  await vi.waitFor(() => expect(penny.memory.panel.unsent).toMatchObject([{ text: 'In passing', temporary: true }]))
})

it('opens as a tab where the browser does not let the panel open', async () => {
  Object.assign(fakeBrowser, { sidePanel: { open: () => Promise.reject(new Error('no gesture')) } })
  tell('omnibox', 'Hello')
  await vi.waitFor(() => expect(createdMenus).toEqual(['chrome-extension://penny/sidepanel.html']))
})
