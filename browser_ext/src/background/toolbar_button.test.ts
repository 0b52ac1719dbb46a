import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { Ask } from '../state/asks'
import { EMPTY_STATE, type PanelState } from '../state/panel_state'
import { ToolbarButton } from './toolbar_button'

const NOW = Date.parse('2026-01-01T12:00:00Z')
const FRONT = { id: 3, url: 'https://shop.example/', active: true, incognito: false }
let texts: string[]
/** On the tab in front alone. */
let tabTexts: string[]
let titles: string[]
let icons: number[]
let panel: PanelState

function ask(request_id: string, seconds: number): Ask {
  const expires_at = new Date(NOW + seconds * 1000).toISOString()
  return { type: 'grant.ask', request_id, host: 'example.com', capability: 'read', reason: '', expires_at }
}

const button = () => new ToolbarButton({ memory: { panel }, permits: ({ host }) => host === 'shop.example' })

/** Of one in front, and of all others. */
const lastTitle = () => titles.at(-1)

beforeEach(() => {
  fakeBrowser.reset()
  vi.useFakeTimers({ now: NOW })
  texts = []
  tabTexts = []
  titles = []
  icons = []
  panel = { ...EMPTY_STATE, toolUse: true }
  const action = {
    setBadgeBackgroundColor: async () => undefined,
    setBadgeText: async ({ text, tabId }: { text: string; tabId?: number }) =>
      void (tabId === undefined ? texts : tabTexts).push(text),
    setTitle: async ({ title }: { title: string }) => void titles.push(title),
    setIcon: async ({ tabId }: { tabId: number }) => void icons.push(tabId),
  }
  Object.assign(fakeBrowser, { action, browserAction: action })
  const nothing = () => new Proxy({}, { get: () => () => ({}), set: () => true })
  vi.stubGlobal(
    'Path2D',
    class {
      arc = () => undefined
    },
  )
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      getContext = nothing
    },
  )
  inFront(FRONT)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function inFront(tab: typeof FRONT): void {
  vi.spyOn(fakeBrowser.tabs, 'query').mockResolvedValue([tab] as never)
}

describe('the number on the coin', () => {
  it('counts the questions that wait, and goes as each of them hides itself', async () => {
    panel.asks = [ask('a', 30), ask('b', 60)]
    inFront({ ...FRONT, url: 'https://other.example/' })
    await button().show()
    await vi.advanceTimersByTimeAsync(31_000)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(texts).toEqual(['2', '1', ''])
    expect(titles.filter((_, place) => place % 2)).toEqual([
      'Penny asks you 2 things',
      'Penny asks you something',
      'Penny',
    ])
  })

  it('forgets the timer of questions that were answered', async () => {
    const coin = button()
    panel.asks = [ask('a', 30)]
    await coin.show()
    panel.asks = []
    coin.follow()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(texts).toEqual(['1', ''])
  })
})

describe('the dot', () => {
  it('is on a tab whose page is or will be kept by itself, and the tooltip names its site', async () => {
    panel.keptTabs = [FRONT.id]
    const coin = button()
    await coin.show()
    expect([tabTexts, lastTitle()]).toEqual([['•'], expect.stringContaining('keeps this page of shop.example')])
    panel.keptTabs = []
    coin.follow()
    await vi.advanceTimersByTimeAsync(0)
    expect([tabTexts.at(-1), lastTitle()]).toEqual(['', expect.not.stringContaining('keeps')])
  })

  it('gives way to the number of questions', async () => {
    panel.keptTabs = [FRONT.id]
    panel.asks = [ask('a', 30)]
    await button().show()
    expect(tabTexts).toEqual(['1'])
  })
})

describe('while she acts on a page', () => {
  it('the button has a sign and says it, unless a question waits', async () => {
    panel.errands = [{ state: 'running' }] as PanelState['errands']
    await button().show()
    panel.asks = [ask('a', 30)]
    await button().show()
    panel.asks = []
    panel.errands = [{ state: 'paused' }] as PanelState['errands']
    await button().show()
    expect(texts).toEqual(['▶', '1', ''])
    expect(titles[0]).toBe('Penny · acting on a page')
  })
})

describe('the coin', () => {
  it('says in words what it shows: the site in front, work, and a talk off the record', async () => {
    const coin = button()
    await coin.show()
    expect(lastTitle()).toBe('Penny · may read this site')
    panel.turns = [{ turn_id: 't' }] as PanelState['turns']
    panel.isTemporary = true
    coin.follow()
    await vi.waitFor(() => expect(lastTitle()).toBe('Penny · working · may read this site · off the record'))
    expect(new Set(icons)).toEqual(new Set([3]))
  })

  it.each([
    ['a site that is not allowed', { url: 'https://other.example/' }, true],
    ['a private window', { incognito: true }, true],
    ['a page of the browser', { url: 'about:blank' }, true],
    ['reading that is off', {}, false],
  ])('is copper for %s', async (_, tab, toolUse) => {
    inFront({ ...FRONT, ...tab })
    panel.toolUse = toolUse
    await button().show()
    expect(lastTitle()).toBe('Penny')
  })

  it('is not drawn again for each streamed word', async () => {
    const coin = button()
    panel.turns = [{ turn_id: 't' }] as PanelState['turns']
    coin.follow()
    await vi.waitFor(() => expect(icons).toEqual([3]))
    panel.turns = [{ turn_id: 't', text: 'A word' }] as unknown as PanelState['turns']
    coin.follow()
    await vi.advanceTimersByTimeAsync(10)
    expect(icons).toEqual([3])
  })
})
