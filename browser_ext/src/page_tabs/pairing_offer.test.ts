// @vitest-environment page
// The offer of a page, read by the script that really runs in it. Only the browser around the page is a fake.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { pairingOffer } from './pairing_offer'

const OWN = 'http://127.0.0.1:8787/setup/'

interface ShownTab {
  url?: string
  incognito?: boolean
}

let injections: object[]

/** A tab with this page. `tab` is what the browser says about the tab afterwards. */
function shows(address: string, html: string, tab: ShownTab = { url: address }): void {
  document.body.innerHTML = html
  vi.stubGlobal('location', new URL(address))
  injections = []
  Object.assign(fakeBrowser, {
    scripting: {
      executeScript: async ({ target, func }: { target: object; func: () => unknown }) => {
        injections.push(target)
        return [{ result: func() }]
      },
    },
    tabs: { get: async () => ({ incognito: false, ...tab }) },
  })
}

const offering = (code: string) => `<output data-pairing-offer="${code}">${code}</output>`

beforeEach(() => {
  fakeBrowser.reset()
  vi.unstubAllGlobals()
})

describe('the offer of a page', () => {
  it.each([
    [OWN, 'http://127.0.0.1:8787'],
    ['http://localhost:9/setup/', 'http://localhost:9'],
    ['http://127.0.0.1:8787/setup/code/', 'http://127.0.0.1:8787'],
    ['https://penny.example/home/setup/', 'https://penny.example/home'],
    ['https://penny.example.evil.example/setup/', 'https://penny.example.evil.example'],
    ['https://pénny.example/', 'https://xn--pnny-bpa.example'],
  ])('at %s is connected with its own address', async (address, server) => {
    shows(address, offering('12345678'))
    expect(await pairingOffer(5)).toEqual({ server, code: '12345678' })
    expect(injections).toEqual([{ tabId: 5, frameIds: [0] }])
  })

  it('names no other address than its own', async () => {
    const claims = `<base href="${OWN}"><link rel="canonical" href="${OWN}">`
    shows('https://evil.example/setup/', `${claims}<div data-server="${OWN}">${offering('12345678')}</div>`)
    expect((await pairingOffer(5))?.server).toBe('https://evil.example')
  })

  it.each<[string, string, string, ShownTab?]>([
    ['plain http off this computer', 'http://penny.example/setup/', offering('12345678')],
    ['plain http in the house', 'http://192.168.1.2:8787/setup/', offering('12345678')],
    ['a name that only begins like this computer', 'http://localhost.evil.example/', offering('12345678')],
    ['a private window', OWN, offering('12345678'), { url: OWN, incognito: true }],
    ['a tab that moved on', OWN, offering('12345678'), { url: 'https://evil.example/' }],
    ['a tab without an address', OWN, offering('12345678'), {}],
    ['no offer', OWN, '<p>12345678</p>'],
    ['an offer in a frame', OWN, `<iframe srcdoc='${offering('12345678')}'></iframe>`],
    ['a short code', OWN, offering('1234567')],
    ['letters', OWN, offering('1234567x')],
    ['ten megabytes', OWN, offering('1'.repeat(10_000_000))],
  ])('%s offers nothing', async (_what, address, html, tab) => {
    shows(address, html, tab)
    expect(await pairingOffer(5)).toBeNull()
  })

  it('is nothing where no script may look, and nothing where the page never answers', async () => {
    shows(OWN, offering('12345678'))
    fakeBrowser.scripting.executeScript = async () => Promise.reject(new Error('No access'))
    expect(await pairingOffer(5)).toBeNull()
    vi.useFakeTimers()
    fakeBrowser.scripting.executeScript = () => new Promise(() => undefined)
    const looking = pairingOffer(5)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await looking).toBeNull()
    vi.useRealTimers()
  })
})
