// The history of a browser that the test plays: visits, tabs, the owner's permission, and a server that answers or not.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { RequestFrame } from '../server/frames'
import type { PanelState } from '../state/panel_state'
import type { HistoryReport } from '../protocol.gen'
import { stored } from '../state/stored'
import { FakeBrowser, type FakeTab } from '../tools/fake_browser'
import { markOwnTab } from '../page_tabs/popups'
import { DWELL_MS } from './listen'
import { HistoryShare } from './share'
import { EVERY_MS } from './waiting'

const MINUTES = 10 * EVERY_MS
let fake: FakeBrowser
let frames: RequestFrame[]
let display: PanelState['history']
let isConnected: boolean
let share: HistoryShare

beforeEach(async () => {
  fakeBrowser.reset()
  vi.useFakeTimers({ now: new Date('2026-01-02T03:04:05Z') })
  fake = new FakeBrowser({})
  frames = []
  isConnected = true
  share = await newShare()
  return () => vi.useRealTimers()
})

async function newShare(): Promise<HistoryShare> {
  const send = (frame: RequestFrame) => isConnected && frames.push(frame) > 0
  const share = new HistoryShare({
    send,
    server: () => 'https://penny.example',
    show: ({ history }) => void (display = history),
  })
  await share.load()
  share.listen()
  return share
}

async function on(): Promise<void> {
  fake.permitted.add('history')
  expect(await share.setSharing(true)).toEqual({ ok: true })
}

/** The owner opens a page in a tab and stays on it. */
async function visit(
  title: string,
  tab: Partial<FakeTab> = {},
  url = 'https://coffee.example/private/page?q=1',
): Promise<void> {
  const { id = fake.tabs.size + 1 } = tab
  fake.tabs.set(id, { id, url, title, status: 'complete', active: true, incognito: false, ...tab })
  fake.onVisited.tell({ url: url.replace('#x', '') })
  await vi.advanceTimersByTimeAsync(DWELL_MS)
}

const reports = () => frames.filter((frame): frame is HistoryReport => frame.type === 'history.report')
const switches = () => frames.flatMap((frame) => (frame.type === 'device.update' ? [frame.history] : []))
const titles = () => reports().map(({ visits }) => visits.map(({ title }) => title))
const later = () => vi.setSystemTime(Date.now() + MINUTES)

async function reportedUrls(): Promise<string[][]> {
  later()
  share.tick()
  return titles()
}

describe('the browsing history', () => {
  it('is told to nobody until the owner switches it on, and nothing of before', async () => {
    await visit('Before')
    expect(await reportedUrls()).toEqual([])
    expect(display).toEqual({ on: false, own: [], waiting: 0 })
    await on()
    await visit('After', {}, 'https://b.example/private')
    expect(display.waiting).toBe(1)
    expect(await reportedUrls()).toEqual([['After']])
    expect(switches()).toEqual([true])
    expect(JSON.stringify(reports())).not.toContain('private')
  })

  it('stays off where the browser was not allowed to, and goes off when that is taken back', async () => {
    expect(await share.setSharing(true)).toMatchObject({ ok: false })
    expect(display.on).toBe(false)
    await on()
    await visit('One')
    fake.onPermissionRemoved.tell({ permissions: ['history'] })
    await vi.advanceTimersByTimeAsync(0)
    expect(display).toEqual({ on: false, own: [], waiting: 0 })
    await on()
    fake.permitted.clear()
    share = await newShare()
    expect(display.on).toBe(false)
  })

  it('is deleted by switching it off as far as it was not told, and the permission is handed back', async () => {
    await on()
    isConnected = false
    await visit('One')
    expect(display.waiting).toBe(1)
    await share.setSharing(false)
    isConnected = true
    expect(display).toEqual({ on: false, own: [], waiting: 0 })
    expect(await stored.visits.getValue()).toEqual([])
    expect(fake.permitted.size).toBe(0)
    await on()
    expect(await reportedUrls()).toEqual([])
    expect(switches()).toEqual([true, true])
  })

  it('knows nothing of private windows, of Penny’s own tabs, of hidden ones, and of pages that were left at once', async () => {
    await on()
    await visit('Private', { incognito: true })
    await visit('Hidden', { hidden: true }, 'https://b.example/')
    markOwnTab(77)
    await visit('Hers', { id: 77 }, 'https://c.example/')
    const leaving = visit('Left', {}, 'https://d.example/')
    fake.tabs.forEach((tab) => (tab.url = 'https://e.example/'))
    await leaving
    fake.onVisited.tell({ url: 'https://nowhere.example/' })
    await vi.advanceTimersByTimeAsync(DWELL_MS)
    expect(display.waiting).toBe(0)
    await visit('Mine', {}, 'https://f.example/#x')
    expect(await reportedUrls()).toEqual([['Mine']])
  })

  it('has the title that the page has once it was looked at', async () => {
    await on()
    const staying = visit('')
    fake.tabs.forEach((tab) => (tab.title = 'Lever espresso'))
    await staying
    expect(await reportedUrls()).toEqual([['Lever espresso']])
  })

  it('waits while the server is away, also for the next life of the background, and goes again until it is answered', async () => {
    await on()
    isConnected = false
    await visit('One')
    expect(await reportedUrls()).toEqual([])
    share = await newShare()
    isConnected = true
    expect(await reportedUrls()).toEqual([['One']])
    share.lose()
    expect(await reportedUrls()).toEqual([['One'], ['One']])
    expect(
      await share.takeAnswer({ type: 'error', code: 'not_stored', message: '', ref: reports()[1]?.ref ?? '' }),
    ).toBe(true)
    await reportedUrls()
    expect(await share.takeAnswer({ type: 'ack', ref: reports()[2]?.ref ?? '' })).toBe(true)
    expect(await reportedUrls()).toHaveLength(3)
    expect(display.waiting).toBe(0)
    expect(await share.takeAnswer({ type: 'ack', ref: 'of something else' })).toBe(false)
  })

  it('goes off where it was switched off on the web page, and lets go of what would never be taken', async () => {
    await on()
    await visit('One')
    await reportedUrls()
    await share.takeAnswer({ type: 'error', code: 'bad_host', message: '', ref: reports()[0]?.ref ?? '' })
    expect(display).toMatchObject({ on: true, waiting: 0 })
    await visit('Two', {}, 'https://b.example/')
    await reportedUrls()
    await share.takeAnswer({ type: 'error', code: 'unsupported', message: '', ref: reports()[1]?.ref ?? '' })
    expect(display).toEqual({ on: false, own: [], waiting: 0 })
    expect(switches()).toEqual([true, false])
  })

  it('tells the server of the switch as soon as it can', async () => {
    isConnected = false
    await on()
    expect(switches()).toEqual([])
    isConnected = true
    share.tellSwitch()
    share.tick()
    expect(switches()).toEqual([true])
  })

  it('leaves out what the owner adds to the list, of what waits too', async () => {
    await on()
    isConnected = false
    await visit('Lever espresso')
    await visit('Old maps', {}, 'https://maps.example/')
    expect(await share.setOwn('maps.example\nknitting')).toEqual({ ok: true })
    expect(display).toEqual({ on: true, own: ['maps.example', 'knitting'], waiting: 1 })
    await visit('Knitting', {}, 'https://b.example/')
    isConnected = true
    expect(await reportedUrls()).toEqual([['Lever espresso']])
    expect(
      await share.setOwn('x,'.repeat(2) + Array.from({ length: 600 }, (_, n) => `w${n}`).join('\n')),
    ).toMatchObject({ ok: false })
    share = await newShare()
    expect(display.own).toEqual(['maps.example', 'knitting'])
  })

  it('is another server’s business only when the owner says so again', async () => {
    await on()
    await share.setOwn('knitting')
    await visit('One')
    await share.leave()
    expect(display).toEqual({ on: false, own: ['knitting'], waiting: 0 })
    await share.forget()
    expect(display).toEqual({ on: false, own: [], waiting: 0 })
  })
})
