import { beforeEach, describe, expect, it } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { isOwnPage, type Sender } from './own_pages'

const home = 'chrome-extension://penny'

beforeEach(() => {
  fakeBrowser.reset()
  Object.assign(fakeBrowser.runtime, { id: 'penny', getURL: (path: string) => `${home}${path}` })
})

describe('who may speak to the background', () => {
  it.each([
    ['the panel in the sidebar', { id: 'penny', url: `${home}/sidepanel.html`, origin: home }, true],
    [
      'the options page in its tab',
      { id: 'penny', url: `${home}/options.html`, origin: home, tab: { id: 1 }, frameId: 0 },
      true,
    ],
    ['a browser that names no origin', { id: 'penny', url: `${home}/options.html`, tab: { id: 1 }, frameId: 0 }, true],
    [
      'our page in a frame of a web page',
      { id: 'penny', url: `${home}/options.html`, tab: { id: 1 }, frameId: 3 },
      false,
    ],
    ['our page somewhere in a tab', { id: 'penny', url: `${home}/options.html`, tab: { id: 1 } }, false],
    ['our page in a sandbox', { id: 'penny', url: `${home}/options.html`, origin: 'null' }, false],
    [
      'a script of ours in a web page',
      { id: 'penny', url: 'https://evil.example/', tab: { id: 1 }, frameId: 0 },
      false,
    ],
    ['a script of ours in an empty page', { id: 'penny', url: 'about:blank', tab: { id: 1 }, frameId: 0 }, false],
    ['a web page', { url: 'https://evil.example/', origin: 'https://evil.example', tab: { id: 1 }, frameId: 0 }, false],
    ['an address that begins like ours', { id: 'penny', url: `${home}.evil.example/options.html` }, false],
    ['an address that holds ours', { id: 'penny', url: `https://evil.example/${home}/options.html` }, false],
    [
      'an origin that is not the address',
      { id: 'penny', url: `${home}/options.html`, origin: 'https://evil.example' },
      false,
    ],
    ['another extension', { id: 'other', url: 'chrome-extension://other/options.html' }, false],
    ['another extension that names our page', { id: 'other', url: `${home}/options.html` }, false],
    ['an id without an address', { id: 'penny' }, false],
    ['nobody', {}, false],
    ['nothing', undefined, false],
  ])('%s: %s', (_who, sender, expected) => {
    expect(isOwnPage(sender as Sender | undefined)).toBe(expected)
  })
})
