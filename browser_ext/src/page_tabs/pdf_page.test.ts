// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { FakeWorkerPage, lines, pdf } from '../pdf/fake_pdf'
import { browseUrl } from '../tools/browse_url'
import { contextFor, FakeBrowser, leftBy, NOTHING } from '../tools/fake_browser'
import { readLinks } from '../tools/read_links'

const URL = 'https://example.com/papers/On%20water.pdf?token=s3cr3t-abcdefghij'
const PAPER = pdf([lines('Brewed at 93 degrees.')])
const TYPE = { 'content-type': 'application/pdf' }

interface Asked {
  url: string
  init: RequestInit
  tabs: number
}

/** What the tab is given is a PDF; `answer` is what the extension is given when it asks for it. */
function serve(answer: () => Response | Promise<Response>): { fake: FakeBrowser; requests: Asked[] } {
  const fake = new FakeBrowser({})
  const requests: Asked[] = []
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => {
    requests.push({ url: String(url), init, tabs: fake.tabs.size })
    return answer()
  })
  return { fake, requests: requests }
}

async function tellOfPdf(fake: FakeBrowser): Promise<void> {
  const tabId = await vi.waitUntil(() => [...fake.tabs.keys()][0])
  fake.onHeadersReceived.tell({
    tabId,
    type: 'main_frame',
    url: URL,
    requestId: '1',
    statusCode: 200,
    responseHeaders: [{ name: 'Content-Type', value: 'application/pdf' }],
  })
}

async function read(
  fake: FakeBrowser,
  session: 'owner' | 'clean' = 'owner',
  context = contextFor('example.com').context,
): Promise<unknown> {
  const reading = browseUrl({ url: URL, session }, context).catch((failure: unknown) => failure)
  await tellOfPdf(fake)
  return reading
}

beforeEach(() => {
  fakeBrowser.reset()
  new FakeWorkerPage()
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
})
afterEach(() => vi.unstubAllGlobals())

describe('a PDF that a tab comes upon', () => {
  it('is asked for once its tab is closed, with the logins of the tab and at no other address, and is a page', async () => {
    const { fake, requests: requests } = serve(() => new Response(PAPER, { headers: TYPE }))
    expect(await read(fake)).toEqual({
      ...{
        url: 'https://example.com/papers/On%20water.pdf',
        title: 'On water.pdf',
        text: 'Brewed at 93 degrees.',
        links: [],
      },
      ...{ extracted_with: 'pdf', truncated: false, words: 4 },
    })
    expect(requests).toMatchObject([
      { url: URL, tabs: 0, init: { credentials: 'include', redirect: 'error', referrerPolicy: 'no-referrer' } },
    ])
    expect(await leftBy(fake)).toEqual(NOTHING)
  })

  it('is asked for without logins in a clean session', async () => {
    const { fake, requests: requests } = serve(() => new Response(PAPER, { headers: TYPE }))
    await read(fake, 'clean')
    expect(requests).toMatchObject([{ init: { credentials: 'omit' } }])
  })

  it('is not asked for when the grant is gone by then', async () => {
    const { fake, requests: requests } = serve(() => new Response(PAPER, { headers: TYPE }))
    let isGranted = true
    const context = { ...contextFor().context, permits: () => isGranted }
    const reading = browseUrl({ url: URL, session: 'owner' }, context).catch((failure: unknown) => failure)
    await tellOfPdf(fake)
    isGranted = false
    expect(await reading).toMatchObject({ code: 'redirect_not_granted' })
    expect(requests).toEqual([])
  })

  it.each<[string, () => Response | Promise<Response>, string, string]>([
    [
      'leads elsewhere',
      () => Promise.reject(new TypeError('Failed to fetch')),
      'load_failed',
      'did not give Penny the PDF',
    ],
    [
      'is a page now',
      () => new Response('<p>Sign in', { headers: { 'content-type': 'text/html' } }),
      'load_failed',
      'did not give Penny the PDF',
    ],
    ['asks who is there', () => new Response('', { status: 401 }), 'needs_sign_in', 'sign-in'],
    ['is gone', () => new Response('', { status: 404 }), 'load_failed', '404'],
    [
      'is too large',
      () => new Response(new Uint8Array(20 * 1024 * 1024 + 1), { headers: TYPE }),
      'load_failed',
      'larger than 20 MB',
    ],
    [
      'is locked',
      () => new Response(pdf([lines('A')], { isLocked: true }), { headers: TYPE }),
      'load_failed',
      'password',
    ],
    ['is broken', () => new Response('%PDF-1.4', { headers: TYPE }), 'load_failed', 'damaged'],
    ['has no text', () => new Response(pdf(['']), { headers: TYPE }), 'empty_page', 'no text'],
  ])('is refused in plain words when it %s', async (_what, answer, code, words) => {
    const { fake } = serve(answer)
    const failure = await read(fake)
    expect(failure).toMatchObject({ code })
    expect(String(failure)).toContain(words)
  })

  it('ends with its call', async () => {
    const { controller, context } = contextFor('example.com')
    const { fake, requests: requests } = serve(
      () =>
        new Promise<Response>((_, reject) =>
          controller.signal.addEventListener('abort', () => reject(controller.signal.reason)),
        ),
    )
    const reading = read(fake, 'owner', context)
    await vi.waitUntil(() => requests.length)
    controller.abort(new Error('cancelled'))
    expect(String(await reading)).toContain('cancelled')
  })

  it('has nothing for the tools that look at other things of a page', async () => {
    const { fake, requests: requests } = serve(() => new Response(PAPER, { headers: TYPE }))
    const looking = readLinks({ url: URL, session: 'owner' }, contextFor('example.com').context).catch(
      (failure: unknown) => failure,
    )
    await tellOfPdf(fake)
    expect(await looking).toMatchObject({ code: 'load_failed' })
    expect(requests).toEqual([])
  })
})
