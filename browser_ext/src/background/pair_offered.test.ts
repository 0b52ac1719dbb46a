// Connecting by an offer, with the whole background. Only the network and the browser are fakes.
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { command, isConnected, penny, state } from './fake_background'

const SERVER = 'http://127.0.0.1:8787'
let posts: { url: string; code: string }[]

/** What the page in the tab shows now. */
function shows(address: string, code: string): void {
  fakeBrowser.scripting.executeScript = (async () => [{ result: { address, code } }]) as never
  fakeBrowser.tabs.get = (async () => ({ url: address, incognito: false })) as never
}

const connect = (server: string) => command({ type: 'pair_offered', tab_id: 5, server, label: 'Firefox' })

beforeEach(async () => {
  posts = []
  const server = globalThis.fetch
  vi.stubGlobal('fetch', async (url: string, request: RequestInit) => {
    posts.push({ url, code: (JSON.parse(request.body as string) as { code: string }).code })
    return server(url, request)
  })
  await penny.ready
})

it('finds an offer without pairing, and keeps its code to itself', async () => {
  shows(`${SERVER}/setup/`, '12345678')
  expect(await command({ type: 'find_offer', tab_id: 5 })).toEqual({ ok: true, server: SERVER })
  expect([posts, state().pairing]).toEqual([[], null])
})

it('connects with the code that the page shows now, and pins the address', async () => {
  shows(`${SERVER}/setup/`, '12345678')
  await command({ type: 'find_offer', tab_id: 5 })
  shows(`${SERVER}/setup/`, '87654321')
  expect(await connect(SERVER)).toEqual({ ok: true })
  await isConnected()
  expect(posts).toEqual([{ url: `${SERVER}/api/pair`, code: '87654321' }])
  expect(penny.memory.pairing).toMatchObject({ server: SERVER, label: 'Firefox' })
})

it.each([
  ['on another port', 'http://127.0.0.1:6666/setup/'],
  ['of another site', 'https://evil.example/setup/'],
  ['on plain http', 'http://evil.example/setup/'],
])('refuses an offer %s that took the place of the one that was shown', async (_where, address) => {
  shows(`${SERVER}/setup/`, '12345678')
  await command({ type: 'find_offer', tab_id: 5 })
  shows(address, '12345678')
  expect(await connect(SERVER)).toMatchObject({ ok: false, message: expect.stringContaining('address') as string })
  expect([posts, state().pairing]).toEqual([[], null])
})
