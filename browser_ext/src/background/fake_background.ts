// The background as a whole against a server that the test plays; only the network and the browser are fakes. Importing
// this sets it up for each test.
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { toBase64Url } from '../server/base64url'
import type { ClientFrameOf } from '../server/frames'
import type { Outcome, PanelCommand, PanelEvent } from '../state/panel_state'
import type { ClientFrame, GrantInfo, Message, Misfit } from '../protocol.gen'
import { challenge, welcome } from '../server/fake_server'
import { FakeSocket } from '../server/fake_socket'
import { newKeys, publicBytes } from '../server/identity'
import { FakeBrowser } from '../tools/fake_browser'
import { obey } from './commands'
import { Penny } from './penny'

export let sockets: FakeSocket[]
export let frames: ClientFrame[]
export let events: PanelEvent[]
/** What would open when the extension is removed, the last one now. */
export let leftPages: string[]
let serverKeys: CryptoKeyPair
export let penny: Penny
let misfit: Misfit | null

class Socket extends FakeSocket {
  constructor() {
    super()
    sockets.push(this)
    this.onSent = (frame) => {
      frames.push(frame)
      if (frame.type === 'auth.hello') void challenge(serverKeys, frame.nonce).then((answer) => this.say(answer))
      if (frame.type === 'auth.proof') this.say({ ...welcome(), ...(misfit && { misfit }) })
    }
    queueMicrotask(() => this.open())
  }
}

export const grant: GrantInfo = {
  host: 'example.com',
  capability: 'read',
  state: 'allowed',
  scope: 'always',
  session: 'owner',
  expires_at: null,
}

export function message(seq: number, fields: Partial<Message> = {}): Message {
  const created_at = '2026-01-01T12:00:00Z'
  return {
    id: `id-${seq}`,
    seq,
    device_label: 'Web',
    direction: 'out',
    kind: 'chat',
    text: 'a',
    html: 'a',
    created_at,
    origin: [],
    ...fields,
  }
}

beforeEach(async () => {
  fakeBrowser.reset()
  new FakeBrowser({})
  misfit = null
  sockets = []
  frames = []
  events = []
  serverKeys = await newKeys()
  const server_public_key = toBase64Url(await publicBytes(serverKeys))
  vi.stubGlobal('WebSocket', Socket)
  vi.stubGlobal('location', { origin: 'moz-extension://0b2d' })
  vi.stubGlobal('fetch', async () => Response.json({ device_id: 'device-1', server_public_key }, { status: 201 }))
  leftPages = []
  Object.assign(fakeBrowser.runtime, {
    getManifest: () => ({ version: '1' }),
    setUninstallURL: async (address: string) => void leftPages.push(address),
  })
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  restart()
})
afterEach(() => {
  penny.connection.stop()
  vi.unstubAllGlobals()
})

/** Begins anew with what is stored, as after the death of Chrome's worker. */
export function restart(): void {
  penny = new Penny((event) => events.push(event))
}

export function setMisfit(next: Misfit): void {
  misfit = next
}

export const command = (request: PanelCommand): Promise<Outcome> => obey(penny, request)
export const socket = () => sockets.at(-1) as FakeSocket
export const state = () => penny.memory.panel
export const isConnected = () => vi.waitFor(() => expect(state().connection.name).toBe('connected'), 5000)

export async function pairUp(): Promise<void> {
  await penny.ready
  expect(await command({ type: 'pair', server: 'http://127.0.0.1:8787', code: '12345678', label: 'Firefox' })).toEqual({
    ok: true,
  })
  await isConnected()
}

export async function nextFrame<Type extends ClientFrame['type']>(type: Type): Promise<ClientFrameOf<Type>> {
  return vi.waitUntil(() => frames.find((frame): frame is ClientFrameOf<Type> => frame.type === type), 5000)
}

/** A picture that has that many bytes when it is encoded. */
export function stubPicture(bytes: number): void {
  const head = Uint8Array.from([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 100, 0, 100, 0])
  vi.stubGlobal('fetch', async () => new Response(head, { headers: { 'content-type': 'image/gif' } }))
  vi.stubGlobal('createImageBitmap', async () => ({ width: 100, height: 100, close: () => undefined }))
  class Canvas {
    getContext = () => ({ fillRect: () => undefined, drawImage: () => undefined })
    convertToBlob = async () => new Blob([new Uint8Array(bytes)])
  }
  vi.stubGlobal('OffscreenCanvas', Canvas)
}
