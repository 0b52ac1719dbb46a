// @vitest-environment page
// Notifications of this browser on the setup page. What the browser can do is played by the test.
import { beforeEach, expect, it, vi } from 'vitest'

const ENDPOINT = 'https://push.example/abc'
const KNOWN = [...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(ENDPOINT)))]
  .map((byte) => byte.toString(16).padStart(2, '0'))
  .join('')
const PAGE = `<span data-push-browser="${KNOWN}" hidden>this browser</span><form data-push-remove="${KNOWN}"></form>
<span data-push-browser="other" hidden>this browser</span><form data-push-remove="other"></form>
<form data-push-key="YQ" hidden><button>Show</button><p role="alert" hidden></p></form><p id="push-why" hidden></p>`

const find = <T extends HTMLElement = HTMLElement>(selector: string) => document.querySelector<T>(selector) as T
const why = () => !find('#push-why').hidden && find('#push-why').textContent
const isOffered = () => !find('[data-push-key]').hidden

function browser({
  isSecure = true,
  agent = 'Firefox',
  permission = 'default',
  has = true,
  subscription = null as object | null,
  register = () => Promise.resolve() as Promise<unknown>,
}) {
  vi.stubGlobal('isSecureContext', isSecure)
  vi.stubGlobal('Notification', { permission, requestPermission: () => Promise.resolve('granted') })
  if (has) vi.stubGlobal('PushManager', class {})
  const pushManager = { getSubscription: () => Promise.resolve(subscription) }
  const serviceWorker = {
    register,
    ready: new Promise(() => undefined),
    getRegistration: () => Promise.resolve({ pushManager }),
  }
  Object.defineProperty(navigator, 'serviceWorker', { value: has ? serviceWorker : undefined, configurable: true })
  Object.defineProperty(navigator, 'userAgent', { value: agent, configurable: true })
  return import('../../../penny_site/static/penny/push.js')
}

beforeEach(() => {
  vi.resetModules()
  vi.unstubAllGlobals()
  document.body.innerHTML = PAGE
})

it.each([
  ['without TLS', { isSecure: false }, 'begins with https'],
  ['in Safari of a phone, outside of an app', { has: false, agent: 'iPhone Safari' }, 'Add to Home Screen'],
  ['in a browser that has none', { has: false }, 'knows no notifications'],
  ['where they are blocked', { permission: 'denied' }, 'are blocked for this page'],
])('says %s why there are none, and what to do', async (_, how, words) => {
  await browser(how)
  expect([isOffered(), String(why())]).toEqual([false, expect.stringContaining(words)])
})

it('offers them where they can be', async () => {
  await browser({})
  expect([isOffered(), why()]).toEqual([true, false])
})

it('says that the part which would show them could not be installed, and does not wait for it', async () => {
  await browser({ register: () => Promise.reject(new Error('it was refused')) })
  find('[data-push-key]').dispatchEvent(new Event('submit', { cancelable: true }))
  await vi.waitFor(() =>
    expect(find('[role=alert]').textContent).toBe(
      'This browser takes no notifications now. Reload the page and try again, or add another outlet.',
    ),
  )
  expect(find('[role=alert]').hidden).toBe(false)
})

it('marks the row of this browser, offers nothing twice, and ends the subscription with the row', async () => {
  const unsubscribe = vi.fn(() => Promise.resolve(true))
  await browser({ subscription: { endpoint: ENDPOINT, unsubscribe } })
  await vi.waitFor(() => expect(find(`[data-push-browser="${KNOWN}"]`).hidden).toBe(false))
  expect([find('[data-push-browser=other]').hidden, isOffered()]).toEqual([true, false])
  const removing = find<HTMLFormElement>(`[data-push-remove="${KNOWN}"]`)
  const submit = vi.spyOn(removing, 'submit').mockReturnValue()
  removing.dispatchEvent(new Event('submit', { cancelable: true }))
  await vi.waitFor(() => expect(submit).toHaveBeenCalled())
  expect([unsubscribe.mock.calls.length, new FormData(removing).get('unsubscribed')]).toEqual([1, 'yes'])
})
