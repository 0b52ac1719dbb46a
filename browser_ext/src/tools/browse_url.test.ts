import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { Extraction } from '../extract/page'
import { closePopups } from '../page_tabs/popups'
import { browseUrl } from './browse_url'
import { contextFor, endProcesses, FakeBrowser, leftBy, NOTHING, type FakePage } from './fake_browser'

const URL = 'https://example.com/a'

function extraction(fields: Partial<Extraction['page']> = {}, notice: Extraction['notice'] = null): Extraction {
  const page = {
    url: URL,
    title: 'A',
    text: 'words',
    links: [],
    extracted_with: 'defuddle' as const,
    truncated: false,
    ...fields,
  }
  return { page, fallbacks: [], notice }
}

const read = (context = contextFor('example.com').context, url = URL) => browseUrl({ url, session: 'owner' }, context)
const showing = (page: FakePage) => new FakeBrowser(page)

beforeEach(() => {
  fakeBrowser.reset()
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
})

describe('browse_url', () => {
  it('returns the page, in a tab that never had the focus, and closes it', async () => {
    const fake = showing({ extraction: extraction() })
    expect(await read()).toEqual(extraction().page)
    expect(fake.focused).toEqual([])
    expect(await leftBy(fake)).toEqual(NOTHING)
  })

  it('closes the tab before it asks for the picture, and does without where there is none', async () => {
    const fake = showing({ extraction: extraction({ image: 'https://example.com/a.png' }) })
    const open: number[] = []
    vi.stubGlobal('fetch', async () => (open.push(fake.tabs.size), new Response(null, { status: 404 })))
    vi.spyOn(console, 'debug').mockImplementation(() => undefined)
    expect(await read()).toEqual(extraction().page)
    expect(open).toEqual([0])
    vi.unstubAllGlobals()
  })

  it('reads once more with Defuddle where too little was chosen', async () => {
    const page: FakePage = { extraction: extraction({ extracted_with: 'treewalker' }) }
    showing(page)
    const { executeScript } = fakeBrowser.scripting
    const files: string[] = []
    vi.spyOn(fakeBrowser.scripting, 'executeScript').mockImplementation(async (script) => {
      const results = await executeScript(script)
      if (!('files' in script)) return results
      files.push((script.files ?? []).join(' '))
      if (script.files?.includes('/extract_page.js')) page.extraction = extraction()
      return results
    })
    expect(await read()).toEqual(extraction().page)
    const extractors = '/page_basics.js /extractors.js'
    expect(files).toEqual([extractors, '/extract_page.js', `/defuddle.js ${extractors} /extract_page.js`])
  })

  it('refuses a page that asks for a secret where it is read to be kept', async () => {
    const signs = { asksSecret: true, frames: [] }
    const fake = showing({ extraction: { ...extraction(), addresses: [], signs } })
    const readAgain = () => browseUrl({ url: URL, session: 'owner', keeps: true }, contextFor('example.com').context)
    await expect(readAgain()).rejects.toMatchObject({ code: 'secret_field' })
    expect(await leftBy(fake)).toEqual(NOTHING)
    signs.asksSecret = false
    expect(await readAgain()).toEqual(extraction().page)
  })

  it('waits while the browser knows no address of the tab', async () => {
    showing({ extraction: extraction() })
    const { get } = fakeBrowser.tabs
    let looks = 0
    const forgetful = async (id: number) => ({ ...(await get(id)), ...(++looks === 3 && { url: '' }) })
    vi.spyOn(fakeBrowser.tabs, 'get').mockImplementation(forgetful)
    expect(await read()).toEqual(extraction().page)
    expect(looks).toBeGreaterThan(3)
  })

  it('asks for the page soon, though the browser never says that the empty tab is there', async () => {
    vi.useFakeTimers()
    const fake = showing({ extraction: extraction() })
    const { create } = fakeBrowser.tabs
    vi.spyOn(fakeBrowser.tabs, 'create').mockImplementation((async (tab: Parameters<typeof create>[0]) => {
      const { id = 0 } = await create(tab)
      fake.tabs.set(id, { id, url: 'about:blank', status: 'loading', active: false })
      return { id }
    }) as typeof create)
    const reading = read()
    await vi.advanceTimersByTimeAsync(5_000)
    expect([...fake.tabs.values()].map(({ url }) => url)).toEqual([URL])
    await vi.advanceTimersByTimeAsync(25_000)
    vi.useRealTimers()
    expect(await reading).toEqual(extraction().page)
    expect(await leftBy(fake)).toEqual(NOTHING)
  })

  it.each([
    ['the second shows the page', 1, 'words'],
    ['so does the second', 2, 'load_failed'],
  ])('tries another tab where the process of the first ended, and %s', async (_, dying, outcome) => {
    vi.useFakeTimers()
    const fake = showing({ extraction: extraction() })
    const requestTabs = endProcesses(fake, dying)
    const reading = read().then(
      ({ text }) => text,
      ({ code }: { code: string }) => code,
    )
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await reading).toBe(outcome)
    vi.useRealTimers()
    expect(requestTabs).toHaveLength(2)
    expect(await leftBy(fake)).toEqual(NOTHING)
  })

  it('answers also with what the selectors of a skill found, where the call has some', async () => {
    const fields = [{ name: 'price', texts: ['12 €'] }]
    showing({ extraction: extraction(), fields })
    const call = { url: URL, session: 'owner', selectors: [{ name: 'price', css: '.price', many: false }] }
    expect(await browseUrl(call, contextFor('example.com').context)).toEqual({ ...extraction().page, fields })
    expect(await read()).toEqual(extraction().page)
  })

  it.each([
    ['code instead of a text', [{ name: 'price', css: { evaluate: 'alert(1)' }, many: false }]],
    ['a name that is none', [{ name: 'a b', css: 'p', many: false }]],
    ['a selector without end', [{ name: 'price', css: 'p'.repeat(201), many: false }]],
    ['more than a skill may have', Array.from({ length: 25 }, () => ({ name: 'price', css: 'p', many: false }))],
    ['no list', { name: 'price', css: 'p', many: false }],
  ])('opens nothing for selectors that are %s', async (_, selectors) => {
    const fake = showing({ extraction: extraction() })
    const create = vi.spyOn(fakeBrowser.tabs, 'create')
    const call = { url: URL, session: 'owner', selectors }
    await expect(browseUrl(call, contextFor('example.com').context)).rejects.toMatchObject({ code: 'internal' })
    expect(create).not.toHaveBeenCalled()
    expect(await leftBy(fake)).toEqual(NOTHING)
  })

  it('opens nothing without a grant', async () => {
    const fake = showing({ extraction: extraction() })
    const create = vi.spyOn(fakeBrowser.tabs, 'create')
    await expect(read(contextFor().context)).rejects.toMatchObject({ code: 'not_granted' })
    await expect(read(undefined, 'file:///etc/passwd')).rejects.toMatchObject({ code: 'bad_url' })
    expect(create).not.toHaveBeenCalled()
    expect(await leftBy(fake)).toEqual(NOTHING)
  })

  it.each([
    ['where it lands', { lands: 'https://evil.example/' }],
    ['where it passes through while it loads', { lands: 'https://evil.example/', passesOnTo: URL }],
    ['where it is after the script ran', { landsLater: 'https://evil.example/' }],
    ['where the script says it ran', {}],
  ])('does not hand out a page that is not granted %s', async (where, landing) => {
    const elsewhere = where.includes('script says') ? { url: 'https://evil.example/' } : {}
    const fake = showing({ extraction: extraction(elsewhere), ...landing })
    await expect(read()).rejects.toMatchObject({ code: 'redirect_not_granted', message: 'evil.example' })
    expect(await leftBy(fake)).toEqual(NOTHING)
  })

  it('stops at a hop that is not granted, though the page would end well', async () => {
    const fake = showing({ extraction: extraction() })
    const reading = read()
    const tabId = await vi.waitUntil(() => [...fake.tabs.keys()][0])
    fake.onBeforeRequest.tell({ tabId, url: 'https://tracker.example/?back=example.com' })
    await expect(reading).rejects.toMatchObject({ code: 'redirect_not_granted', message: 'tracker.example' })
    expect(await leftBy(fake)).toEqual(NOTHING)
  })

  it.each([
    'blob:https://example.com/0-0',
    'chrome://settings/',
    'file:///etc/passwd',
    'https://example.com@evil.example/',
  ])('does not hand out what is at %s', async (lands) => {
    const fake = showing({ extraction: extraction(), lands })
    await expect(read()).rejects.toMatchObject({ code: 'load_failed' })
    expect(await leftBy(fake)).toEqual(NOTHING)
  })

  it("says so when the browser's own rules stopped a hop, and ends when they stopped one that is granted", async () => {
    const stopAt = async (url: string) => {
      const fake = showing({ extraction: extraction() })
      const reading = read()
      const tabId = await vi.waitUntil(() => [...fake.tabs.keys()][0])
      fake.onErrorOccurred.tell({ tabId, url, error: 'net::ERR_BLOCKED_BY_CLIENT' })
      return reading.catch((failure: unknown) => failure)
    }
    expect(await stopAt('https://evil.example/')).toMatchObject({
      code: 'redirect_not_granted',
      message: 'evil.example',
    })
    expect(await stopAt('https://example.com/b')).toMatchObject({ code: 'load_failed' })
  })

  it('does not mind the end of a request that the page has replaced by another', async () => {
    const fake = showing({ extraction: extraction() })
    const reading = read()
    const tabId = await vi.waitUntil(() => [...fake.tabs.keys()][0])
    const askFor = (requestId: string) => Promise.all(fake.onBeforeRequest.tell({ tabId, url: URL, requestId }))
    await askFor('1')
    await askFor('2')
    fake.onErrorOccurred.tell({ tabId, url: URL, error: 'NS_ERROR_FAILURE', requestId: '1' })
    await expect(reading).resolves.toBeDefined()
    const failing = read()
    const next = await vi.waitUntil(() => [...fake.tabs.keys()][0])
    await Promise.all(fake.onBeforeRequest.tell({ tabId: next, url: URL, requestId: '3' }))
    fake.onErrorOccurred.tell({ tabId: next, url: URL, error: 'NS_ERROR_FAILURE', requestId: '3' })
    await expect(failing).rejects.toMatchObject({ code: 'load_failed' })
  })

  it('watches the tab until it is gone', async () => {
    const fake = showing({ extraction: extraction() })
    const watchedTabs: number[] = []
    const remove = fakeBrowser.tabs.remove
    Object.assign(fakeBrowser.tabs, {
      remove: async (id: number) => (watchedTabs.push(fake.onBeforeRequest.listeners.size), remove(id)),
    })
    await read()
    expect(watchedTabs).toEqual([1])
  })

  it('leaves the requests of other tabs alone', async () => {
    const fake = showing({ extraction: extraction() })
    const reading = read()
    await vi.waitUntil(() => fake.tabs.size)
    const verdicts = fake.onBeforeRequest.tell({ tabId: 3, url: 'https://bank.example/' })
    expect(await Promise.all(verdicts)).toEqual([{ cancel: false }])
    await expect(reading).resolves.toBeDefined()
  })

  it('does not take an error page or a file for content', async () => {
    const answerWith = async (statusCode: number, type: string) => {
      const fake = showing({ extraction: extraction() })
      const reading = read()
      const tabId = await vi.waitUntil(() => [...fake.tabs.keys()][0])
      fake.onHeadersReceived.tell({
        tabId,
        type: 'main_frame',
        url: URL,
        statusCode,
        responseHeaders: [{ name: 'content-type', value: type }],
      })
      return reading.catch((failure: unknown) => failure)
    }
    expect(await answerWith(404, 'text/html')).toMatchObject({ code: 'load_failed' })
    expect(await answerWith(403, 'text/html')).toMatchObject({ code: 'blocked_by_site' })
    expect(await answerWith(200, 'application/zip')).toMatchObject({ code: 'load_failed' })
  })

  it('keeps the words of a notice apart from what a reader reads', async () => {
    const links = [{ text: 'Home', url: 'https://example.com/' }]
    showing({ extraction: extraction({ text: 'Log in to see this.', links }, { kind: 'sign_in', isWhole: true }) })
    const whole = { text: '', links: [], notice: { kind: 'sign_in', text: 'Log in to see this.' } }
    expect(await read()).toMatchObject(whole)
    showing({ extraction: extraction({ text: 'The beginning.', links }, { kind: 'paywall', isWhole: false }) })
    const part = { text: 'The beginning.', links, notice: { kind: 'paywall', text: '' } }
    expect(await read()).toMatchObject(part)
  })

  it('has a file neither shown nor saved, and what other tabs get let through', async () => {
    const fake = showing({ extraction: extraction() })
    const reading = read()
    const tabId = await vi.waitUntil(() => [...fake.tabs.keys()][0])
    const answer = (id: number, requestId: string, type: string) =>
      Promise.all(
        fake.onHeadersReceived.tell({
          tabId: id,
          type: 'main_frame',
          url: URL,
          requestId,
          statusCode: 200,
          responseHeaders: [{ name: 'content-type', value: type }],
        }),
      )
    expect(await answer(tabId, '1', 'text/html')).not.toEqual([{ cancel: true }])
    expect(await answer(tabId, '2', 'application/zip')).toEqual([{ cancel: true }])
    expect(await answer(3, '3', 'application/zip')).toEqual([{}])
    await expect(reading).resolves.toEqual(extraction().page)
  })

  it('says so when there is nothing to read', async () => {
    showing({ extraction: extraction({ text: '' }) })
    await expect(read()).rejects.toMatchObject({ code: 'empty_page' })
  })

  it('closes the tab when it is cancelled, when the owner closes it, and when the script breaks', async () => {
    const { controller, context } = contextFor('example.com')
    const cancelledTab = showing({ extraction: extraction() })
    const reading = read(context)
    await vi.waitUntil(() => cancelledTab.tabs.size)
    controller.abort(new Error('cancelled'))
    await expect(reading).rejects.toThrow('cancelled')
    expect(await leftBy(cancelledTab)).toEqual(NOTHING)

    const closedTab = showing({ extraction: extraction() })
    const looking = read()
    await vi.waitUntil(() => closedTab.tabs.size)
    closedTab.tabs.clear()
    await expect(looking).rejects.toMatchObject({ code: 'load_failed' })

    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const brokenTab = showing({ extraction: undefined })
    await expect(read()).rejects.toMatchObject({ code: 'internal' })
    expect(await leftBy(brokenTab)).toEqual(NOTHING)
  })

  it('closes what the page opens beside itself, and what that opens, also after its own end', async () => {
    const fake = showing({ extraction: extraction() })
    closePopups()
    const reading = read()
    const openerTabId = await vi.waitUntil(() => [...fake.tabs.keys()][0])
    const open = (id: number, opener?: number) => {
      fake.tabs.set(id, { id, url: 'https://popup.example/', status: 'complete', active: true, openerTabId: opener })
      return { id, openerTabId: opener }
    }
    open(97, openerTabId)
    const verdicts = fake.onBeforeRequest.tell({ tabId: 97, url: 'https://popup.example/' })
    expect(await Promise.all(verdicts)).toEqual([{ cancel: true }])
    fake.onCreated.tell(open(97, openerTabId))
    fake.onCreatedNavigationTarget.tell({ sourceTabId: openerTabId, tabId: open(98).id }) // noopener
    await reading
    fake.onCreatedNavigationTarget.tell({ sourceTabId: 98, tabId: open(99).id })
    fake.onCreated.tell(open(100, openerTabId))
    fake.onCreated.tell(open(3))
    fake.onCreated.tell(open(4, 3))
    expect([...fake.tabs.keys()]).toEqual([3, 4])
  })

  it('puts up the fence before the page is asked for', async () => {
    const fake = showing({ extraction: extraction() })
    const order: string[] = []
    fake.rules.mockImplementation(async () => void order.push('fence'))
    const update = fakeBrowser.tabs.update
    Object.assign(fakeBrowser.tabs, {
      update: async (id: number, change: { url?: string }) => {
        if (change.url) order.push('load')
        await update(id, change)
      },
    })
    await read()
    expect(order).toEqual(['fence', 'load', 'fence'])
  })

  it('does not run on other arguments', async () => {
    const { context } = contextFor('example.com')
    for (const input of [null, {}, { url: URL }, { url: URL, session: 'mine' }]) {
      await expect(browseUrl(input, context)).rejects.toMatchObject({ code: 'internal' })
    }
  })
})
