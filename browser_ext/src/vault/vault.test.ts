// Pages that the owner keeps: what is sent, when, and what is not. Only the browser and the server are fakes.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { RequestFrame } from '../server/frames'
import type { KeepingTab } from '../state/panel_state'
import { FakeBrowser, type FakeTab } from '../tools/fake_browser'
import { MOST, UNDO_MS, Vault } from './vault'

const URL = 'https://clinic.example/team'
const PAGE = {
  url: `${URL}?session_token=abc`,
  title: 'Our team',
  text: 'Come by at noon. Your password: hunter2hunter2. Write to ada@brunswick.example.',
  links: [{ text: 'Home', url: 'https://clinic.example/?access_token=abc' }],
  image: 'https://pictures.example/1.png',
  left_out: 'Fax +1 732-555-0142',
  extracted_with: 'defuddle',
  truncated: false,
}
const TAB = { tab_id: 5, url: URL }
let frames: RequestFrame[]
let tabs: KeepingTab[]
let isConnected: boolean
let vault: Vault

beforeEach(async () => {
  fakeBrowser.reset()
  vi.useFakeTimers({ now: new Date('2026-03-03T10:00:00Z') })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  frames = []
  isConnected = true
  browserWith({})
  vault = await newVault()
  return () => vi.useRealTimers()
})

function browserWith(tab: Partial<FakeTab>, page: object = PAGE, signs?: object): FakeBrowser {
  const addresses = ['tel:116117', 'https://github.com/ada']
  const extraction = { page, fallbacks: [], notice: null, addresses, signs }
  const fake = new FakeBrowser({ extraction })
  fake.tabs.set(5, { id: 5, url: URL, status: 'complete', active: true, incognito: false, ...tab })
  return fake
}

async function newVault(): Promise<Vault> {
  const send = (frame: RequestFrame) => isConnected && frames.push(frame) > 0
  const next = new Vault({
    send,
    server: () => 'https://penny.example',
    show: ({ keeping }) => void (tabs = keeping),
    onNotKeeping: () => undefined,
    onDropped: () => undefined,
  })
  await next.load()
  return next
}

const steps = () => tabs.map(({ step }) => step)
const refOf = () => tabs.at(-1)?.ref ?? ''
const later = (ms = UNDO_MS) => vi.advanceTimersByTimeAsync(ms)

describe('a page that the owner keeps', () => {
  it('is sent ten seconds later, with contacts, without secrets and without its picture', async () => {
    expect(await vault.keep(TAB)).toEqual({ ok: true })
    await later(UNDO_MS - 1)
    expect([frames, steps()]).toEqual([[], ['waiting']])
    await later(1)
    expect(frames).toEqual([
      {
        type: 'page.keep',
        ref: refOf(),
        why: 'asked',
        masked: 1,
        private_window: false,
        asks_secret: false,
        contacts: {
          emails: ['ada@brunswick.example'],
          phones: ['116117', '+17325550142'],
          profiles: ['https://github.com/ada'],
        },
        page: {
          url: URL,
          title: 'Our team',
          text: 'Come by at noon. Your password: ▮. Write to ada@brunswick.example.',
          links: [{ text: 'Home', url: 'https://clinic.example/' }],
          extracted_with: 'defuddle',
          truncated: false,
        },
      },
    ])
    await vault.takeAnswer({ type: 'ack', ref: refOf() })
    expect(steps()).toEqual(['kept'])
  })

  it('is never sent once it was undone, also not when the panel closes, or after a restart', async () => {
    await vault.keep(TAB)
    expect(await vault.undo(refOf())).toBe(true)
    vault.sendAtOnce()
    vault = await newVault()
    await later(10 * UNDO_MS)
    expect([frames, tabs]).toEqual([[], []])
  })

  it('is not undone where it was sent', async () => {
    await vault.keep(TAB)
    await later()
    expect(await vault.undo(refOf())).toBe(false)
    expect(frames).toHaveLength(1)
  })

  it('is sent at once where nobody can undo any more', async () => {
    await vault.keep(TAB)
    vault.sendAtOnce()
    await later()
    expect(frames).toHaveLength(1)
  })

  it('is sent once the background is back, and once Penny is reached', async () => {
    await vault.keep(TAB)
    isConnected = false
    vault = await newVault()
    expect(steps()).toEqual(['waiting'])
    await later()
    expect([frames, steps()]).toEqual([[], ['sending']])
    isConnected = true
    vault.tick()
    expect(frames).toHaveLength(1)
  })

  it('is sent again after a connection without an answer, and after one that tells to wait', async () => {
    await vault.keep(TAB)
    await later()
    vault.lose()
    vault.tick()
    expect(await vault.takeAnswer({ type: 'error', code: 'not_stored', message: '', ref: refOf() })).toBe(true)
    vault.tick()
    expect(frames).toHaveLength(3)
    expect(await vault.takeAnswer({ type: 'error', code: 'kept_full', message: 'No more.', ref: refOf() })).toBe(true)
    vault.tick()
    expect(frames).toHaveLength(3)
    expect(tabs).toMatchObject([{ step: 'failed', message: 'No more.' }])
    expect(await vault.takeAnswer({ type: 'ack', ref: 'of something else' })).toBe(false)
  })

  it('is read once where the button is pressed twice', async () => {
    await Promise.all([vault.keep(TAB), vault.keep(TAB)])
    await later()
    expect(frames).toHaveLength(1)
  })

  it('is nothing for another server', async () => {
    await vault.keep(TAB)
    await vault.leave()
    await later()
    expect([frames, tabs]).toEqual([[], []])
  })

  it('is one of twenty at most that wait', async () => {
    for (let tab_id = 1; tab_id <= MOST + 1; tab_id++) {
      browserWith({}).tabs.set(tab_id, { id: tab_id, url: URL, status: 'complete', active: false })
      expect(await vault.keep({ tab_id, url: URL })).toMatchObject({ ok: tab_id <= MOST })
    }
  })

  it.each<[string, Partial<FakeTab>, object, string]>([
    ['a private window', { incognito: true }, PAGE, 'private windows'],
    ['a page of the browser', { url: 'about:config' }, PAGE, 'browser itself'],
    ['Penny', { url: 'https://penny.example/kept/' }, PAGE, 'own pages'],
    ['a page without text', {}, { ...PAGE, text: ' ' }, 'no text'],
  ])('is not one of %s', async (_what, tab, page, words) => {
    browserWith(tab, page)
    expect(await vault.keep(TAB)).toEqual({ ok: false, message: expect.stringContaining(words) as string })
    expect(tabs).toMatchObject([{ step: 'failed', message: expect.stringContaining(words) as string }])
    await later()
    expect(frames).toEqual([])
  })

  it.each([
    ['a field for a secret', { asksSecret: true, frames: [] }],
    ['a frame for a card', { asksSecret: false, frames: ['checkout.stripe.com'] }],
  ])('is not one with %s, also where its site is chosen', async (_what, signs) => {
    browserWith({}, PAGE, signs)
    expect(await vault.keep(TAB)).toEqual({ ok: false, message: expect.stringContaining('password') as string })
    await later()
    expect([frames, steps()]).toEqual([[], ['failed']])
    browserWith({}, PAGE, { asksSecret: false, frames: ['map.example'] })
    expect(await vault.keep(TAB)).toEqual({ ok: true })
  })
})
