import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { Screen } from '../extract/screen'
import { stored } from '../state/stored'
import { contextFor } from './fake_browser'
import { areCells } from './frame_mark'
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

  it.each(['the page', 'a secret'])('takes none while %s moves, and tries again', async (mover) => {
    vi.useFakeTimers()
    await showing()
    const ys = [100, 100, 300, 100] // of the page; before the picture, and after it; of the page once more
    const executeScript = async ({ files }: { files?: string[] }) => {
      const y = files ? (ys.push(ys[0] ?? 0), ys.shift()) : 0
      const secrets = [{ ...view, y }]
      return [{ result: mover === 'a secret' ? { ...screen, secrets } : { ...screen, view: { ...view, y } } }]
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

  it('takes none whose frame is from before, and tries again', async () => {
    vi.useFakeTimers()
    await showing()
    let cells: readonly boolean[] = []
    const executeScript = async ({ args }: { args?: [string, boolean[]?] }) => {
      cells = args?.[1] ?? cells
      const mark = { rect: { x: 0, y: 0, width: 4 * cells.length, height: 4 }, view: view.width }
      return [{ result: { ...screen, ...(args ? mark : {}), view: args ? view.width : view } }]
    }
    const frames = ['before', 'present'] // what the browser drew last, picture for picture
    const filled: string[] = []
    class Canvas {
      frame = ''
      fillStyle = ''
      getContext = () => this
      scale = () => undefined
      translate = () => undefined
      drawImage = ({ frame }: { frame: string }) => (this.frame = frame)
      fillRect = () => filled.push(`${this.frame} ${this.fillStyle}`)
      getImageData = (x: number) => {
        const isWhite = this.frame === 'present' && cells[Math.floor(x / 4)]
        return { data: [0, 1, 2].map(() => (isWhite ? 255 : 0)) }
      }
      convertToBlob = async () => new Blob([this.frame])
    }
    vi.stubGlobal('OffscreenCanvas', Canvas)
    vi.stubGlobal('createImageBitmap', async (blob: Blob) => ({
      frame: await blob.text(),
      width: view.width,
      close: () => undefined,
    }))
    const captureVisibleTab = async () => `data:image/png;base64,${btoa(frames[shots++] ?? '')}`
    Object.assign(fakeBrowser.tabs, { captureVisibleTab })
    Object.assign(fakeBrowser.scripting, { executeScript })
    const looking = look()
    await vi.runAllTimersAsync()
    expect(await looking).toMatchObject({ image: `data:image/jpeg;base64,${btoa('present')}` })
    expect([shots, filled]).toEqual([2, [' white', 'present grey']])
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('tells the row of cells in weaker and inverted colours, and no other row', () => {
    const cells = [true, false, true, true, false]
    expect(areCells([255, 0, 255, 255, 0], cells)).toBe(true)
    expect(areCells([200, 90, 190, 180, 110], cells)).toBe(true)
    expect(areCells([0, 255, 10, 10, 240], cells)).toBe(true)
    expect(areCells([255, 0, 255, 0, 0], cells)).toBe(false)
    expect(areCells([120, 100, 120, 120, 100], cells)).toBe(false)
    expect(areCells([], cells)).toBe(false)
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
