// @vitest-environment page
// The extension without one of its defences: the same attack that ends with it goes through.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { startListening } from './background/listeners'
import { Panels } from './background/panels'
import { Penny } from './background/penny'
import { screenOf } from './extract/screen'
import { visitOf } from './history/visit'
import { urlToStore, urlToTell } from './grants/hosts'
import { safeHtml } from './conversation/text/safe_html'
import type { ClientFrame } from './protocol.gen'
import { cast, challenge, welcome } from './server/fake_server'
import { shakeHands } from './server/handshake'
import { newKeys } from './server/identity'
import { grantedUrl } from './page_tabs/check_grant'

const off = vi.hoisted(() => ({
  cleaning: false,
  senders: false,
  secrets: false,
  proof: false,
  leavingOut: false,
  masks: false,
}))

vi.mock('dompurify', async (load) => {
  const { default: real } = await load<typeof import('dompurify')>()
  const uncleanedHtml = (html: string) => document.createRange().createContextualFragment(html)
  return {
    default: {
      sanitize: (html: string, options: object) => (off.cleaning ? uncleanedHtml(html) : real.sanitize(html, options)),
    },
  }
})
vi.mock('./background/own_pages', async (load) => {
  const { isOwnPage } = await load<typeof import('./background/own_pages')>()
  return { isOwnPage: (sender: Parameters<typeof isOwnPage>[0]) => off.senders || isOwnPage(sender) }
})
vi.mock('./grants/url_secrets', async (load) => {
  const real = await load<typeof import('./grants/url_secrets')>()
  const withoutSecrets: typeof real.withoutSecrets = (query, look) =>
    off.secrets ? query : real.withoutSecrets(query, look)
  return { ...real, withoutSecrets }
})
vi.mock('./history/sensitive', async (load) => {
  const real = await load<typeof import('./history/sensitive')>()
  return {
    ...real,
    isSensitive: (...values: Parameters<typeof real.isSensitive>) => !off.leavingOut && real.isSensitive(...values),
  }
})
vi.mock('./extract/secrets', async (load) => {
  const real = await load<typeof import('./extract/secrets')>()
  return { ...real, secretsOf: (page: Document) => (off.masks ? [] : real.secretsOf(page)) }
})
vi.mock('./server/identity', async (load) => {
  const real = await load<typeof import('./server/identity')>()
  return {
    ...real,
    isSignedBy: async (...values: Parameters<typeof real.isSignedBy>) => off.proof || real.isSignedBy(...values),
  }
})

const nothing = () => undefined

beforeEach(() => {
  fakeBrowser.reset()
  Object.assign(off, { cleaning: false, senders: false, secrets: false, proof: false, leavingOut: false, masks: false })
})

function rendered(html: string): string {
  const holder = document.createElement('div')
  holder.append(safeHtml(html, 'http://127.0.0.1:8787'))
  return holder.innerHTML
}

/** Returns whether the background takes a command from a page of the web. */
function obeysThePage(): unknown {
  let listener: (message: unknown, sender: object, answer: () => void) => unknown = nothing
  const names = ['onConnect', 'onConnectExternal', 'onMessageExternal', 'onUserScriptMessage']
  const others = Object.fromEntries(names.map((name) => [name, { addListener: nothing }]))
  const onMessage = { addListener: (added: typeof listener) => void (listener = added) }
  Object.assign(fakeBrowser.runtime, { id: 'penny', getURL: () => 'chrome-extension://penny/', ...others, onMessage })
  startListening(new Penny(nothing), new Panels())
  return listener({ type: 'close_notice' }, { url: 'https://evil.example/', tab: { id: 1 }, frameId: 0 }, nothing)
}

/** Returns what another server is told that has taken the place of the owner's. */
async function toldToImpostor(): Promise<string[]> {
  const [{ own }, other] = await Promise.all([cast(), newKeys()])
  const frames: ClientFrame[] = []
  const receive = async () => {
    const [hello] = frames
    return frames.length === 1 && hello?.type === 'auth.hello' ? challenge(other, hello.nonce) : welcome()
  }
  await shakeHands({ send: (frame) => void frames.push(frame), receive }, own).catch(nothing)
  return frames.map((frame) => frame.type)
}

describe('only this keeps it out:', () => {
  it('the check of grants in the browser, a site that was not granted', () => {
    expect(() => grantedUrl('https://evil.example/', { permits: () => false })).toThrow('not allowed')
    expect(grantedUrl('https://evil.example/', { permits: () => true }).host).toBe('evil.example')
  })

  it('the cleaning of HTML in the sidebar, a script', () => {
    const attack = '<b onclick="alert(1)">x</b><script>alert(1)</script>'
    expect(rendered(attack)).toBe('<b>x</b>')
    off.cleaning = true
    expect(rendered(attack)).toBe(attack)
  })

  it('the cutting of secrets in the browser, what signs somebody in', () => {
    const address = new URL('https://a.example/?cup=2&session_id=abc')
    expect([urlToTell(address), urlToStore(address)]).toEqual(Array(2).fill('https://a.example/?cup=2'))
    off.secrets = true
    expect([urlToTell(address), urlToStore(address)]).toEqual(Array(2).fill(address.href))
  })

  it('the filter of visits, what the owner reads about their health', () => {
    const visitSeen = { url: 'https://forum.example/12', title: 'Living with diabetes', at: new Date(0) }
    const titleOf = () => visitOf(visitSeen, { server: 'https://penny.example', own: [] })?.title
    expect(titleOf()).toBeUndefined()
    off.leavingOut = true
    expect(titleOf()).toBe('Living with diabetes')
  })

  it('the proof of the server, the proof of this device', async () => {
    expect(await toldToImpostor()).toEqual(['auth.hello'])
    off.proof = true
    expect(await toldToImpostor()).toEqual(['auth.hello', 'auth.proof'])
  })

  it('the look for secrets in a picture, a password that is shown', () => {
    document.body.innerHTML = '<input type="password" value="secret"><p>Words</p>'
    vi.stubGlobal('chrome', { dom: { openOrClosedShadowRoot: (element: HTMLElement) => element.shadowRoot } })
    vi.spyOn(HTMLInputElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(10, 20, 300, 40))
    expect(screenOf(document).secrets).toEqual([{ x: 8, y: 18, width: 304, height: 44 }])
    off.masks = true
    expect(screenOf(document).secrets).toEqual([])
  })

  it('the look at who speaks, the command of a web page', () => {
    expect(obeysThePage()).toBe(false)
    off.senders = true
    expect(obeysThePage()).toBe(true)
  })
})
