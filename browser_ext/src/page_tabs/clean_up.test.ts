import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { forgetStored, stored, type ErrandTab } from '../state/stored'
import { isOfTab, type Rule } from './rules/browser_rules'
import { fenceIn, openFence, stopOf } from './rules/fence'
import { setRedirectRules } from './rules/redirect_rules'
import { untilStarted } from './start'
import { registerPretendVisible } from './pretend_visible'
import { FakeBrowser } from '../tools/fake_browser'
import { cleanUp } from './clean_up'
import { closeTab, remember } from './open_tabs'

beforeEach(() => fakeBrowser.reset())

it('closes the tabs that an ended background left open, and none of the owner that has their number', async () => {
  const fake = new FakeBrowser({})
  const open = (id: number, url: string, active = false) => fake.tabs.set(id, { id, url, status: 'complete', active })
  open(1, 'https://left.example/')
  open(2, 'https://owners.example/')
  open(3, 'https://watched.example/', true)
  open(5, 'about:blank')
  await stored.tabs.setValue([
    { id: 1, url: 'https://left.example/' },
    { id: 2, url: 'https://left.example/' },
    { id: 3, url: 'https://watched.example/' },
    { id: 4, url: 'https://gone.example/' },
    { id: 5, url: 'https://never-asked-for.example/' },
  ])
  await cleanUp()
  expect([...fake.tabs.keys()]).toEqual([2, 3])
  expect(await stored.tabs.getValue()).toEqual([])
})

it('knows a tab by its fence, of which Chrome tells no address while a slow site is waited for', async () => {
  const fake = new FakeBrowser({})
  const open = (id: number, active = false) => fake.tabs.set(id, { id, url: '', status: 'loading', active })
  open(1)
  open(2)
  open(3, true)
  const rules = [1, 3].map((id) => ({ id, condition: { tabIds: [id] } }))
  Object.assign(fakeBrowser.declarativeNetRequest, { getSessionRules: async () => rules })
  await stored.tabs.setValue([1, 2, 3].map((id) => ({ id, url: 'https://slow.example/' })))
  await cleanUp()
  expect([...fake.tabs.keys()]).toEqual([2, 3])
})

describe("Chrome's rules when a background starts", () => {
  const tab = (id: number, isTheirs = false): ErrandTab => {
    const { name, errand } = { name: `tab ${id}`, errand: 'e' }
    return { name, errand, site: 'shop.example', id, isOwn: true, isTheirs, version: 0, next: 1, ranges: [] }
  }
  const ofTab = (id: number, tabId: number) => ({ id, condition: { tabIds: [tabId] } })

  /** Rules as the browser keeps them. Returns each change. */
  function keepRules(rules: { id: number; condition: { tabIds?: number[] } }[]) {
    const changes: { removeRuleIds: number[]; addRules: typeof rules }[] = []
    Object.assign(fakeBrowser.declarativeNetRequest, {
      getSessionRules: async () => [...rules],
      updateSessionRules: async (change: (typeof changes)[number]) => {
        changes.push(change)
        rules = [...rules.filter(({ id }) => !change.removeRuleIds.includes(id)), ...change.addRules]
      },
    })
    return {
      changes,
      idsOf: (tabId: number) => rules.filter((rule) => isOfTab(tabId)(rule as Rule)).map(({ id }) => id),
    }
  }

  it('are made anew for the tabs that live on, in one step, which what comes then waits for', async () => {
    new FakeBrowser({})
    const { changes, idsOf } = keepRules([ofTab(1, 7), ofTab(2, 9), ofTab(3, 11), ofTab(4, -1)])
    await stored.errandTabs.setValue([tab(7), tab(8), tab(9, true)])
    const starting = cleanUp()
    const acting = fenceIn(tab(7), 'act') // a call that comes at once
    const opening = setRedirectRules(12, new URL('https://shop.example/'), [], 'owner')
    await starting
    expect(changes[0]).toMatchObject({ removeRuleIds: [1, 2, 3] })
    expect(changes[0]?.addRules.map(({ condition }) => condition.tabIds)).toEqual([[7], [7], [7], [8], [8], [8]])
    await Promise.all([acting, opening])
    expect([7, 8, 9, 11, -1].map((id) => idsOf(id).length)).toEqual([3, 3, 0, 0, 1])
    const sink = { url: 'https://sink.example/', method: 'GET' }
    expect([7, 8, 9].map((tabId) => stopOf({ tabId, ...sink }))).toEqual([{ leavesTo: 'sink.example' }, null, null])
    const ids = [7, 8, 12, -1].flatMap(idsOf)
    expect(new Set(ids).size).toBe(ids.length)
    await Promise.all([7, 8].map(openFence))
  })

  it('hold nobody up where they cannot be read', async () => {
    new FakeBrowser({})
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    Object.assign(fakeBrowser.declarativeNetRequest, { getSessionRules: async () => Promise.reject(new Error('gone')) })
    await cleanUp()
    await expect(untilStarted()).resolves.toBeUndefined()
    vi.restoreAllMocks()
    await cleanUp()
  })
})

it('takes back the scripts that pages of a site had from their beginning while it was visited', async () => {
  const fake = new FakeBrowser({})
  const end = await registerPretendVisible(new URL('https://www.left.example/a'))
  expect(fake.acting.map(({ matches }) => matches)).toEqual([
    ['*://www.left.example/*', '*://*.left.example/*', '*://left.example/*'],
  ])
  await registerPretendVisible(new URL('http://[::1]:8000/'))
  await end()
  expect(fake.acting.map(({ matches }) => matches)).toEqual([['*://[::1]/*']])
  await cleanUp()
  expect(fake.acting).toEqual([])
})

it('goes on remembering tabs after storage failed once', async () => {
  const failing = vi.spyOn(stored.tabs, 'setValue').mockRejectedValueOnce(new Error('disk full'))
  await expect(remember({ id: 1, url: 'https://first.example/' })).rejects.toThrow('disk full')
  await remember({ id: 2, url: 'https://second.example/' })
  expect(await stored.tabs.getValue()).toEqual([{ id: 2, url: 'https://second.example/' }])
  failing.mockRestore()
})

it('leaves nothing of a tab that is closed while everything is forgotten', async () => {
  new FakeBrowser({})
  await remember({ id: 1, url: 'https://first.example/' })
  await stored.draft.setValue('A draft')
  await Promise.all([closeTab(1), forgetStored()])
  expect(await fakeBrowser.storage.local.get(null)).toEqual({})
  await remember({ id: 2, url: 'https://second.example/' })
  await forgetStored()
  expect(await stored.tabs.getValue()).toEqual([{ id: 2, url: 'https://second.example/' }])
  await closeTab(2)
  expect(await fakeBrowser.storage.local.get(null)).toEqual({})
})
