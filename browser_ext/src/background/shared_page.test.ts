// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { FakeWorkerPage, lines, pdf } from '../pdf/fake_pdf'
import { FakeBrowser, type FakeTab } from '../tools/fake_browser'
import { sharedPage } from './shared_page'

const SERVER = 'http://127.0.0.1:8787'
const URL = 'https://example.com/a'
const nothing = () => false
const PAGE = { url: URL, title: 'A', text: 'Words.', links: [], extracted_with: 'defuddle', truncated: false }

function browserWith(tab: Partial<FakeTab>, page: object | null = PAGE): FakeBrowser {
  const fake = new FakeBrowser({ extraction: page && { page, fallbacks: [], notice: null } })
  fake.tabs.set(5, { id: 5, url: URL, status: 'complete', active: true, ...tab })
  return fake
}

const PAPER = pdf([lines('Brewed at 93 degrees.')], { title: 'Paper' })
const file = (bytes: Uint8Array<ArrayBuffer>) => new Response(bytes, { headers: { 'content-type': 'application/pdf' } })
type Script = () => Promise<unknown>
/** Firefox's viewer, and what Chrome has around its own. */
const failingScript: Script = async () => Promise.reject(new Error('Missing host permission for the tab'))
const around: Script = async () => [{ result: 'application/pdf' }]

/** A tab that shows a PDF; `asked` is what is asked for, as it comes. */
function pdfAt(
  url: string,
  script: Script,
  cookieStoreId?: string,
  answer = () => file(PAPER),
): { fake: FakeBrowser; requests: unknown[] } {
  const fake = browserWith(
    { url, ...(cookieStoreId && { cookieStoreId }) },
    {
      ...PAGE,
      url,
      text: '',
    },
  )
  const { executeScript } = fakeBrowser.scripting
  fakeBrowser.scripting.executeScript = (async (injection: { files?: string[] }) =>
    injection.files && script === around ? executeScript(injection as never) : script()) as never
  const requests: unknown[] = []
  vi.stubGlobal('fetch', async (...request: unknown[]) => (requests.push(request), answer()))
  new FakeWorkerPage()
  return { fake, requests: requests }
}

beforeEach(() => {
  fakeBrowser.reset()
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
})
afterEach(() => vi.unstubAllGlobals())

describe('the page of a tab that is shared', () => {
  it('is taken as it stands: no tab is opened, moved or closed', async () => {
    const fake = browserWith({})
    await expect(sharedPage(5, SERVER, nothing)).resolves.toEqual(PAGE)
    expect([...fake.tabs.keys()]).toEqual([5])
  })

  it('brings its links, so that they can be followed later, without what looks like a secret', async () => {
    const links = [
      { text: 'The grind', url: 'https://other.example/grind?cup=2&access_token=abc' },
      { text: 'Water', url: 'https://example.com/water' },
    ]
    browserWith({}, { ...PAGE, links, metadata: { json_ld: [] } })
    const [grind, water] = links
    const expectedPage = { ...PAGE, links: [{ ...grind, url: 'https://other.example/grind?cup=2' }, water] }
    await expect(sharedPage(5, SERVER, nothing)).resolves.toEqual(expectedPage)
  })

  it.each<[string, Partial<FakeTab>, object | null, string]>([
    ['a page of the browser', { url: 'about:config' }, PAGE, 'browser itself'],
    ['a file', { url: 'file:///etc/passwd' }, PAGE, 'browser itself'],
    ['Penny herself', { url: 'http://localhost:8787/setup/' }, PAGE, 'own pages'],
    ['a private window', { incognito: true }, PAGE, 'private windows'],
    ['a page without text', {}, { ...PAGE, text: ' \n' }, 'no text'],
    ['a page that no script looks into', {}, null, 'could not be taken apart'],
    ['a page that moved on', {}, { ...PAGE, url: 'https://evil.example/' }, 'changed meanwhile'],
  ])('%s is refused in plain words', async (_what, tab, page, words) => {
    browserWith(tab, page)
    await expect(sharedPage(5, SERVER, nothing)).rejects.toThrow(words)
  })

  it('is a PDF that is asked for once more, where no script looks into it or an empty page stands around it', async () => {
    const url = 'https://example.com/paper'
    for (const [script, cookieStoreId, credentials] of [
      [failingScript, undefined, 'include'],
      [failingScript, 'firefox-container-3', 'omit'],
      [around, 'firefox-default', 'include'],
    ] as const) {
      const { requests: requests } = pdfAt(url, script, cookieStoreId)
      const page = {
        url,
        title: 'Paper',
        text: 'Brewed at 93 degrees.',
        links: [],
        extracted_with: 'pdf',
        truncated: false,
        words: 4,
      }
      await expect(sharedPage(5, SERVER, nothing)).resolves.toEqual(page)
      expect(requests).toMatchObject([[new globalThis.URL(url), { credentials, redirect: 'error' }]])
    }
  })

  it.each<[string, string, () => Response, string]>([
    [
      'a PDF that is locked',
      'https://example.com/paper',
      () => file(pdf([lines('A')], { isLocked: true })),
      'password',
    ],
    ['a PDF without text', 'https://example.com/paper', () => file(pdf([''])), 'pictures of its pages'],
    [
      'a PDF that is withheld',
      'https://example.com/a.pdf',
      () => new Response('<p>Sign in', { headers: { 'content-type': 'text/html' } }),
      'Reload the tab',
    ],
    ['a PDF that is gone', 'https://example.com/a.pdf', () => new Response('', { status: 404 }), 'Reload the tab'],
    [
      'a page that is no PDF',
      'https://example.com/paper',
      () => new Response('', { headers: { 'content-type': 'text/html' } }),
      'does not let Penny read',
    ],
  ])('%s is refused in plain words', async (_what, url, answer, words) => {
    pdfAt(url, failingScript, undefined, answer)
    await expect(sharedPage(5, SERVER, nothing)).rejects.toThrow(words)
  })

  it('is no PDF any more when its tab went on meanwhile', async () => {
    const { fake } = pdfAt('https://example.com/a.pdf', failingScript, undefined, () => {
      fake.tabs.set(5, { id: 5, url: 'https://example.com/b', status: 'complete', active: true })
      return file(PAPER)
    })
    await expect(sharedPage(5, SERVER, nothing)).rejects.toThrow('changed meanwhile')
  })

  it('brings the picture that it names, from a granted site alone', async () => {
    const request = vi.fn<typeof fetch>(
      async () => new Response('no picture', { headers: { 'content-type': 'text/plain' } }),
    )
    vi.stubGlobal('fetch', request)
    vi.spyOn(console, 'debug').mockImplementation(() => undefined)
    browserWith({}, { ...PAGE, image: 'https://img.example/a.png' })
    await expect(sharedPage(5, SERVER, nothing)).resolves.toEqual(PAGE)
    expect(request).not.toHaveBeenCalled()
    await expect(sharedPage(5, SERVER, ({ host }) => host === 'img.example')).resolves.toEqual(PAGE)
    expect(request).toHaveBeenCalledOnce()
    vi.unstubAllGlobals()
  })

  it('is refused when its tab is gone', async () => {
    browserWith({})
    await expect(sharedPage(6, SERVER, nothing)).rejects.toThrow('closed')
  })
})
