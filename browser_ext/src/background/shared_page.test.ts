import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { FakeBrowser, type FakeTab } from '../tools/fake_browser'
import { sharedPage } from './shared_page'

const SERVER = 'http://127.0.0.1:8787'
const URL = 'https://example.com/a'
const nothing = () => false
const PAGE = { url: URL, title: 'A', text: 'Words.', links: [], extracted_with: 'defuddle', truncated: false }

function browserWith(tab: Partial<FakeTab>, page: object | null = PAGE): FakeBrowser {
  const fake = new FakeBrowser({ extraction: page && { page, fallbacks: [], asksForSignIn: false } })
  fake.tabs.set(5, { id: 5, url: URL, status: 'complete', active: true, ...tab })
  return fake
}

beforeEach(() => {
  fakeBrowser.reset()
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

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
    const shown = { ...PAGE, links: [{ ...grind, url: 'https://other.example/grind?cup=2' }, water] }
    await expect(sharedPage(5, SERVER, nothing)).resolves.toEqual(shown)
  })

  it.each<[string, Partial<FakeTab>, object | null, string]>([
    ['a page of the browser', { url: 'about:config' }, PAGE, 'browser itself'],
    ['a file', { url: 'file:///etc/passwd' }, PAGE, 'browser itself'],
    ['Penny herself', { url: 'http://localhost:8787/setup/' }, PAGE, 'own pages'],
    ['a private window', { incognito: true }, PAGE, 'private windows'],
    ['a page without text', {}, { ...PAGE, text: ' \n' }, 'no text'],
    ['a PDF', { url: 'https://example.com/a.pdf' }, { ...PAGE, text: '' }, 'words can be copied'],
    ['a PDF that no script looks into', { url: 'https://example.com/a.pdf' }, null, 'PDF'],
    ['a page that no script looks into', {}, null, 'could not be taken apart'],
    ['a page that moved on', {}, { ...PAGE, url: 'https://evil.example/' }, 'changed meanwhile'],
  ])('%s is refused in plain words', async (_what, tab, page, words) => {
    browserWith(tab, page)
    await expect(sharedPage(5, SERVER, nothing)).rejects.toThrow(words)
  })

  it('brings the picture that it names, from a granted site alone', async () => {
    const request = vi.fn<typeof fetch>(async () => new Response('no picture', { headers: { 'content-type': 'text/plain' } }))
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
