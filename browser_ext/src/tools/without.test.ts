// The browser tools without one of their defences: the same attack that ends with it goes through.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { Page } from '../protocol.gen'
import { closePopups } from '../page_tabs/popups'
import { browseUrl } from './browse_url'
import { contextFor, FakeBrowser, leftBy, NOTHING, type FakePage } from './fake_browser'
import { withPicture } from './picture'

const off = vi.hoisted(() => ({ closing: false, containers: false, hops: false, sessions: false, beside: false }))

vi.mock('../page_tabs/open_tabs', async (load) => {
  const real = await load<typeof import('../page_tabs/open_tabs')>()
  return { ...real, closeTab: async (id: number) => (off.closing ? undefined : real.closeTab(id)) }
})
// As in Firefox; a browser without containers has none to give.
vi.mock('../page_tabs/clean_session', () => ({
  newContainer: async () => (off.containers ? null : 'a-container'),
  removeContainer: async () => undefined,
}))
vi.mock('../page_tabs/check_grant', async (load) => {
  const real = await load<typeof import('../page_tabs/check_grant')>()
  const assertStillGranted: typeof real.assertStillGranted = (...values) =>
    off.hops ? undefined : real.assertStillGranted(...values)
  const assertSession: typeof real.assertSession = (...values) =>
    off.sessions ? undefined : real.assertSession(...values)
  return { ...real, assertStillGranted, assertSession }
})

const URL = 'https://example.com/a'
const page: Page = { url: URL, title: 'A', text: 'words', links: [], extracted_with: 'defuddle', truncated: false }
const extraction = { page, fallbacks: [], notice: null }

beforeEach(() => {
  fakeBrowser.reset()
  Object.assign(off, { closing: false, containers: false, hops: false, sessions: false, beside: false })
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.spyOn(console, 'debug').mockImplementation(() => undefined)
})

/** Returns what a call leaves behind, whatever its answer is. */
async function leftOf(extracted: FakePage, isCancelled = false): Promise<unknown> {
  fakeBrowser.reset()
  const fake = new FakeBrowser(extracted)
  const { controller, context } = contextFor('example.com')
  const reading = browseUrl({ url: URL, session: 'owner' }, context).catch(() => undefined)
  if (isCancelled) {
    await vi.waitUntil(() => fake.tabs.size)
    controller.abort(new Error('cancelled'))
  }
  await reading
  return leftBy(fake)
}

/** By its answer, by an error, by where the page leads, by the owner. */
async function leftOfAll(): Promise<unknown[]> {
  return [
    await leftOf({ extraction }),
    await leftOf({ extraction: undefined }),
    await leftOf({ extraction, lands: 'https://evil.example/' }),
    await leftOf({ extraction }, true),
  ]
}

/** Returns what the tab of a call for a clean session was opened with. */
async function openedClean(): Promise<unknown> {
  new FakeBrowser({ extraction })
  const create = vi.spyOn(fakeBrowser.tabs, 'create')
  await browseUrl({ url: URL, session: 'clean' }, contextFor('example.com').context)
  return create.mock.calls[0]?.[0]
}

/** Returns which addresses are asked for a page whose own host is granted, and whose picture is elsewhere. */
async function askedForPicture(...granted: string[]): Promise<unknown[]> {
  const request = vi.fn<typeof fetch>(async () => new Response(null, { status: 404 }))
  vi.stubGlobal('fetch', request)
  await withPicture({ ...page, image: 'https://tracker.example/a.png' }, contextFor('example.com', ...granted).context)
  vi.unstubAllGlobals()
  return request.mock.calls.map(([address]) => String(address))
}

/** Returns whether a page can open another beside itself that stays. */
async function staysBeside(): Promise<boolean> {
  const fake = new FakeBrowser({ extraction })
  if (!off.beside) closePopups()
  const reading = browseUrl({ url: URL, session: 'owner' }, contextFor('example.com').context)
  const openerTabId = await vi.waitUntil(() => [...fake.tabs.keys()][0])
  fake.tabs.set(97, { id: 97, url: 'https://popup.example/', status: 'complete', active: true, openerTabId })
  fake.onCreated.tell({ id: 97, openerTabId })
  await reading
  return fake.tabs.has(97)
}

describe('only this keeps it out:', () => {
  it('the closing of tabs, a page that stays open', async () => {
    const left = await leftOfAll()
    expect(left).toEqual(left.map(() => NOTHING))
    off.closing = true
    expect(await leftOfAll()).toEqual(left.map(() => ({ ...NOTHING, tabs: 1, remembered: 1 })))
  })

  it('the closing of what a page opens, a page beside it', async () => {
    expect(await staysBeside()).toBe(false)
    off.beside = true
    expect(await staysBeside()).toBe(true)
  })

  it('the clean session, the logins of the owner', async () => {
    expect(await openedClean()).toMatchObject({ cookieStoreId: 'a-container' })
    off.containers = true
    expect(await openedClean()).not.toHaveProperty('cookieStoreId')
  })

  it('the grant of the picture, a request to a host that was not granted', async () => {
    expect(await askedForPicture()).toEqual([])
    expect(await askedForPicture('tracker.example')).toEqual(['https://tracker.example/a.png'])
  })

  it('the check of every hop, a page that leads elsewhere', async () => {
    const read = async () => {
      new FakeBrowser({ extraction, lands: 'https://evil.example/' })
      return browseUrl({ url: URL, session: 'owner' }, contextFor('example.com').context)
    }
    await expect(read()).rejects.toMatchObject({ code: 'redirect_not_granted' })
    off.hops = true
    await expect(read()).resolves.toEqual(page)
  })

  it('the session at every hop, logins at a site that may be read without them only', async () => {
    const opened = async () => {
      new FakeBrowser({ extraction, lands: 'https://clean.example/' })
      const create = vi.spyOn(fakeBrowser.tabs, 'create')
      const { context } = contextFor('example.com', 'clean.example')
      await browseUrl(
        { url: URL, session: 'owner' },
        { ...context, isCleanOnly: ({ hostname }) => hostname === 'clean.example' },
      )
      return create.mock.calls.map(([tab]) => 'cookieStoreId' in tab)
    }
    expect((await opened()).at(-1)).toBe(true)
    off.sessions = true
    expect((await opened()).at(-1)).toBe(false)
  })
})
