import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { packLines } from '../../acting/snapshot/packed_lines'
import type { FrameSnapshot } from '../../acting/snapshot/snapshot'
import { stored } from '../../state/stored'
import { sightOfTab } from './preview'

const SERVER = 'http://127.0.0.1:8787'
const URL_OF_TAB = 'https://www.shop.example/cart'
const ALLOWED = { mayAct: () => true, siteOf: () => 'shop.example' }
const NOT_ALLOWED = { ...ALLOWED, mayAct: () => false }

let frames: Record<number, Partial<FrameSnapshot> & { url: string }>
let requests: { frameId: number; task: string; request: { next: number } }[]

/** A tab whose frames answer with their snapshots; a frame without lines lets no script in. */
function showTab(tab: object = {}): void {
  requests = []
  const at = (id: number) => frames[id] ?? expect.fail('no such frame')
  Object.assign(fakeBrowser, {
    tabs: { get: async () => ({ id: 5, url: URL_OF_TAB, incognito: false, ...tab }) },
    webNavigation: {
      getAllFrames: async () => Object.keys(frames).map((id) => ({ frameId: Number(id), url: at(Number(id)).url })),
    },
    scripting: {
      executeScript: async ({
        target,
        args,
      }: {
        target: { frameIds: [number] }
        args: [string, null, string, never]
      }) => {
        const [frameId] = target.frameIds
        const [, , task, request] = args
        requests.push({ frameId, task, request })
        if (at(frameId).lines === undefined) throw new Error('Missing host permission for the tab')
        return [
          { result: { title: 'Shop', place: [], newFrom: 0, next: 1, view: [1, 1], isCut: false, ...at(frameId) } },
        ]
      },
    },
  })
}

const { tabs, webNavigation, scripting } = fakeBrowser

afterEach(() => {
  Object.assign(fakeBrowser, { tabs, webNavigation, scripting })
  vi.restoreAllMocks()
})

beforeEach(() => {
  fakeBrowser.reset()
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
  frames = { 0: { url: URL_OF_TAB, lines: '[1 button Buy]', next: 2 } }
})

it('a page is its lines, and nothing that an errand remembers changes', async () => {
  const tab = { name: 'n', errand: 'e', site: 'www.shop.example', id: 5, isOwn: false, isTheirs: false }
  const errandTab = { ...tab, version: 3, next: 41, ranges: [] }
  await stored.errandTabs.setValue([errandTab])
  showTab()
  const { parts, lines, refs } = await sightOfTab(5, SERVER, ALLOWED)
  const head = 'snapshot 4: Shop — www.shop.example/cart, part 1 of 1, lines 1–1 of 1, view 1 of 1'
  expect([parts, lines, refs]).toEqual([[`${head}\n[1 button Buy]`], 1, 1])
  expect(requests).toEqual([{ frameId: 0, task: 'preview', request: { next: 41 } }])
  expect(await stored.errandTabs.getValue()).toEqual([errandTab])
})

it.each([
  ['of the site that the grant names', ALLOWED, ['Pay', 'Sign in'], 1],
  ['of the host of the page where there is none', NOT_ALLOWED, ['Pay'], 2],
  ['that are not blocked', { ...ALLOWED, mayAct: ({ host }: URL) => host !== 'login.shop.example' }, ['Pay'], 2],
])('frames are seen %s', async (_, rights, names, refused) => {
  const place = (index: number, host: string) => ({ text: '', refs: [], frame: { place: index, host } })
  frames = {
    0: {
      url: URL_OF_TAB,
      lines: packLines([place(0, 'www.shop.example'), place(1, 'login.shop.example'), place(2, 'ads.example')]),
      next: 1,
    },
    1: { url: 'https://www.shop.example/pay', lines: '[1 button Pay]', place: [0], next: 2 },
    2: { url: 'https://login.shop.example/', lines: '[2 button Sign in]', place: [1], next: 3 },
    3: { url: 'https://ads.example/', lines: '[3 button Advertisement]', place: [2], next: 4 },
  }
  showTab()
  const [text = ''] = (await sightOfTab(5, SERVER, rights)).parts
  expect([...text.matchAll(/button ([^\]]+)/g)].map(([, name]) => name)).toEqual(names)
  expect(text.match(/: not allowed\]/g)).toHaveLength(refused)
  expect(requests.map(({ frameId }) => frameId)).not.toContain(3)
})

it.each([
  ['of a private window', { incognito: true }, {}, 'private windows'],
  ['of the browser', { url: 'about:config' }, {}, 'browser itself'],
  ['of Penny herself', { url: `${SERVER}/setup/` }, {}, 'own pages'],
  ['that lets no script in', {}, { lines: undefined }, 'does not let Penny read'],
  ['that shows nothing', {}, { lines: '' }, 'nothing on this page'],
  ['that moved to another host', {}, { url: 'https://evil.example/' }, 'changed meanwhile'],
])('a page %s is refused in plain words', async (_, tab, frame, words) => {
  Object.assign(frames[0] ?? {}, frame)
  showTab(tab)
  await expect(sightOfTab(5, SERVER, ALLOWED)).rejects.toThrow(words)
})
