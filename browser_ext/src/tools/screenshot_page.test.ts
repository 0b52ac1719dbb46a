import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { Screen } from '../extract/screen'
import { stored } from '../state/stored'
import { contextFor } from './fake_browser'
import { meet } from './redact_picture'
import { screenshotPage, stopsOf } from './screenshot_page'

const view = { x: 0, y: 100, width: 800, height: 600 }
const screen: Screen = { url: 'https://example.com/', view, page: { width: 800, height: 2_000 }, secrets: [] }
let shots: number

interface Shown {
  url?: string
  says?: string[]
  incognito?: boolean
  permitted?: boolean
  fronts?: number[]
}

/** One tab in front; each look in its page says where it is, and what is in front of the window then. */
async function showing({
  url = 'https://example.com/',
  says = [],
  incognito = false,
  permitted = true,
  fronts = [],
}: Shown = {}): Promise<void> {
  shots = 0
  await stored.pictures.setValue(true)
  const capture = async () => {
    shots++
    throw new Error('a test takes no picture')
  }
  const query = async ({ windowId }: { windowId?: number }) => [
    { id: windowId === undefined ? 1 : (fronts.shift() ?? 1), windowId: 7, url, incognito },
  ]
  const executeScript = async () => [{ result: { ...screen, url: says.shift() ?? url } }]
  Object.assign(fakeBrowser, {
    permissions: { contains: async () => permitted },
    tabs: { query, captureVisibleTab: capture, captureTab: capture },
    scripting: { executeScript },
  })
}

const look = (input: unknown = { area: 'visible' }) => screenshotPage(input, contextFor('example.com').context)

beforeEach(() => {
  fakeBrowser.reset()
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
})

describe('screenshot_page', () => {
  it.each<[string, Shown]>([
    ['a site that is not allowed', { url: 'https://secret.example/' }],
    ['a private window', { incognito: true }],
    ['a page that has gone elsewhere', { says: ['https://secret.example/'] }],
    ['another tab that has come to the front', { fronts: [2] }],
    ['anything while pictures are off', { permitted: false }],
  ])('takes no picture of %s', async (_, tab) => {
    await showing(tab)
    const failure = await look().catch((reason: unknown) => reason)
    expect(failure).toMatchObject({ code: 'not_granted' })
    expect(String(failure)).not.toContain('secret.example')
    expect(shots).toBe(0)
  })

  it('takes no picture of a page of the browser, and says so', async () => {
    await showing({ url: 'view-source:https://example.com/' })
    await expect(look()).rejects.toMatchObject({ code: 'bad_url' })
    expect(shots).toBe(0)
  })

  it('takes none while the owner has it off, whatever the browser lets it', async () => {
    await showing()
    await stored.pictures.setValue(false)
    await expect(look()).rejects.toMatchObject({ code: 'not_granted' })
    expect(shots).toBe(0)
  })

  it('says so when the browser takes none', async () => {
    await showing()
    await expect(look()).rejects.toMatchObject({ code: 'load_failed' })
    expect(shots).toBe(1)
  })

  it('takes none that the page moved under, and tries again', async () => {
    vi.useFakeTimers()
    await showing()
    const ys = [100, 100, 300, 100] // of the page; before the picture, and after it; of the page once more
    const executeScript = async ({ files }: { files?: string[] }) => {
      const y = files ? (ys.push(ys[0] ?? 0), ys.shift()) : 0
      return [{ result: { ...screen, view: { ...view, y } } }]
    }
    const captureVisibleTab = async () => (shots++, 'data:image/png;base64,AAAA')
    const draw = vi.fn(() => Promise.reject(new Error('nothing is to be drawn')))
    vi.stubGlobal('createImageBitmap', draw)
    vi.stubGlobal('fetch', async () => new Response(''))
    Object.assign(fakeBrowser.tabs, { captureVisibleTab })
    Object.assign(fakeBrowser.scripting, { executeScript })
    const failure = look().catch((reason: unknown) => reason)
    await vi.runAllTimersAsync()
    expect(await failure).toMatchObject({
      code: 'load_failed',
      message: expect.stringContaining('hold still') as string,
    })
    expect([shots, draw.mock.calls.length]).toEqual([3, 0])
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it.each([{}, { area: 'all' }, { area: 'element' }, null])('knows its arguments: %o', async (input) => {
    await showing()
    await expect(look(input)).rejects.toMatchObject({ code: 'internal' })
  })

  it('stops where the whole of a part is seen once, and nowhere when it is seen already', () => {
    expect(stopsOf(view, view, 2_000)).toEqual([null])
    expect(stopsOf({ x: 0, y: 0, width: 800, height: 2_000 }, view, 2_000)).toEqual([0, 600, 1200, 1400])
    expect(stopsOf({ x: 0, y: 1_900, width: 800, height: 90 }, view, 2_000)).toEqual([1400])
  })

  it('paints over what lies in the picture, and what touches it', () => {
    expect(meet({ x: 0, y: 690, width: 10, height: 20 }, view)).toBe(true)
    expect(meet({ x: 0, y: 710, width: 10, height: 20 }, view)).toBe(false)
  })
})
