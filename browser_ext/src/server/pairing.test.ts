import 'fake-indexeddb/auto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import german from '../locales/de.json'
import { loadKeys } from './identity'
import { pair, PairingFailed } from './pairing'
import { isStarting } from './readiness'

const FORM = { server: 'http://127.0.0.1:8787', code: '1234-56 78', label: ' Firefox on Linux ' }
const PAIRED = { device_id: 'd', server_public_key: 'k' }

function answering(status: number, body: unknown) {
  const fetching = vi.fn(async (_url: string, _request: RequestInit) => Response.json(body, { status }))
  vi.stubGlobal('fetch', fetching)
  return fetching
}

afterEach(() => vi.unstubAllGlobals())

describe('pairing', () => {
  it('sends digits, label and public key, and keeps the private key', async () => {
    const fetching = answering(201, PAIRED)
    expect(await pair(FORM)).toEqual({ server: 'http://127.0.0.1:8787', label: 'Firefox on Linux', ...PAIRED })
    const [url, request] = fetching.mock.calls[0] ?? ['', {}]
    expect(url).toBe('http://127.0.0.1:8787/api/pair')
    expect(JSON.parse(String(request.body))).toMatchObject({
      code: '12345678',
      label: 'Firefox on Linux',
      kind: 'browser',
    })
    expect(await loadKeys()).not.toBeNull()
  })

  it.each([
    ['wrong_code', german.pair_wrong_code],
    ['no_code', german.pair_no_code],
    ['too_many', german.pair_too_many],
    ['bad_key', 'In the words of the server.'],
  ])('says in the language of the browser why the server refused: %s', async (code, words) => {
    vi.spyOn(fakeBrowser.i18n, 'getMessage').mockImplementation(((key: keyof typeof german) => german[key]) as never)
    answering(403, { code, message: 'In the words of the server.' })
    await expect(pair(FORM)).rejects.toThrow(words)
  })

  it.each(['1234567', '123456789', '1234567a', ''])('does not bother the server with %s', async (code) => {
    const fetching = answering(201, PAIRED)
    await expect(pair({ ...FORM, code })).rejects.toThrow(PairingFailed)
    expect(fetching).not.toHaveBeenCalled()
  })

  it('never sends a code over an open line', async () => {
    const fetching = answering(201, PAIRED)
    await expect(pair({ ...FORM, server: 'http://192.168.1.5:8787' })).rejects.toThrow(/https/)
    expect(fetching).not.toHaveBeenCalled()
  })

  it('says so when something else answers, or nothing', async () => {
    answering(200, { hello: 'world' })
    await expect(pair(FORM)).rejects.toThrow('not Penny')
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('refused')))
    await expect(pair(FORM)).rejects.toThrow('Is Penny running there?')
  })
})

describe('a server that is starting', () => {
  it('says 503', async () => {
    answering(503, {})
    expect(await isStarting('http://127.0.0.1:8787')).toBe(true)
    answering(200, {})
    expect(await isStarting('http://127.0.0.1:8787')).toBe(false)
  })

  it('is not the same as no server', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('refused')))
    expect(await isStarting('http://127.0.0.1:8787')).toBe(false)
  })
})
