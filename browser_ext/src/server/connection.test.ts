import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ServerFrame } from '../protocol.gen'
import { Connection, type ConnectionHost } from './connection'
import type { ConnectionState } from './refusals'
import { cast, challenge, welcome, type Cast } from './fake_server'
import { CLOSED, FakeSocket } from './fake_socket'
import { newKeys } from './identity'

let people: Cast
beforeAll(async () => void (people = await cast()))

let sockets: FakeSocket[]
let states: ConnectionState[]
let frames: ServerFrame[]
let codes: number[]
let serverKeys: CryptoKeyPair
let isPaired: boolean
let starting: boolean
let connection: Connection

function newSocket(): WebSocket {
  const socket = new FakeSocket()
  socket.onSent = (frame) => {
    if (frame.type === 'auth.hello') void challenge(serverKeys, frame.nonce).then((answer) => socket.say(answer))
    if (frame.type === 'auth.proof') socket.say(welcome())
  }
  sockets.push(socket)
  return socket.asWebSocket()
}

const host: ConnectionHost = {
  handshake: async () => (isPaired ? people.own : null),
  openSocket: newSocket,
  isStarting: async () => starting,
  onState: (state) => states.push(state),
  onWelcome: () => undefined,
  onFrame: (frame) => frames.push(frame),
  onLost: (code) => codes.push(code),
}

const names = () => states.map((state) => (state.name === 'refused' ? state.reason : state.name))
const socketNumber = (count: number) =>
  vi.waitFor(() => expect(sockets).toHaveLength(count), 5000).then(() => sockets[count - 1] as FakeSocket)
const isIn = (name: string) => vi.waitFor(() => expect(names().at(-1)).toBe(name), 5000)

async function connect(count = 1): Promise<FakeSocket> {
  const socket = await socketNumber(count)
  socket.open()
  await isIn('connected')
  return socket
}

beforeEach(() => {
  sockets = []
  states = []
  frames = []
  codes = []
  serverKeys = people.server
  isPaired = true
  starting = false
  connection = new Connection(host)
})
afterEach(() => connection.stop())

describe('the connection', () => {
  it('opens one socket, however often it is started', async () => {
    connection.start()
    connection.start()
    await connect()
    connection.start()
    expect(sockets).toHaveLength(1)
    expect(names()).toEqual(['connecting', 'connected'])
  })

  it('goes on trying where its keys could not be read at first', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    let reads = 0
    connection = new Connection({
      ...host,
      handshake: async () => (reads++ === 0 ? Promise.reject(new Error('The storage failed')) : people.own),
    })
    connection.start()
    await connect()
    expect([reads, error.mock.calls.length]).toEqual([2, 1])
  })

  it('does not try without a pairing', async () => {
    isPaired = false
    connection.start()
    await isIn('not_paired')
    expect(sockets).toHaveLength(0)
  })

  it('hands on frames, and sends only while it stands', async () => {
    expect(connection.send({ type: 'ping' })).toBe(false)
    connection.start()
    const socket = await connect()
    socket.say({ type: 'pong' })
    expect(frames).toEqual([{ type: 'pong' }])
    expect(connection.send({ type: 'ping' })).toBe(true)
    socket.close(1012)
    await isIn('reconnecting')
    expect(connection.send({ type: 'ping' })).toBe(false)
  })

  it('comes back by itself, and says once that it was lost', async () => {
    connection.start()
    const socket = await connect()
    socket.close(1006)
    await connect(2)
    expect(codes).toEqual([1006])
    expect(names()).toEqual(['connecting', 'connected', 'reconnecting', 'connected'])
  })

  it('says that the server is starting when it answers so', async () => {
    starting = true
    connection.start()
    const socket = await socketNumber(1)
    socket.close(1006)
    await isIn('starting')
  })

  it.each([
    [4401, 'not_proven'],
    [4403, 'revoked'],
    [4409, 'replaced'],
    [4423, 'waits'],
    [4426, 'version'],
  ])('takes close code %i for a refusal', async (code, reason) => {
    connection.start()
    const socket = await connect()
    socket.close(code)
    await isIn(reason)
    expect(sockets).toHaveLength(1)
  })

  it('tries again after a final refusal only when the owner asks', async () => {
    connection.start()
    const socket = await connect()
    socket.close(4409)
    await isIn('replaced')
    connection.restart()
    await connect(2)
  })

  it('refuses a server that does not hold the pinned key', async () => {
    serverKeys = await newKeys()
    connection.start()
    const socket = await socketNumber(1)
    socket.open()
    await isIn('impostor')
    expect(socket.frames.map((frame) => frame.type)).toEqual(['auth.hello'])
    expect(socket.readyState).toBe(CLOSED)
  })

  it('ends at once when it is stopped', async () => {
    connection.start()
    const socket = await connect()
    connection.stop()
    await vi.waitFor(() => expect(codes).toHaveLength(1))
    expect(socket.readyState).toBe(CLOSED)
    expect(sockets).toHaveLength(1)
  })

  it('gives up a socket that has been silent for too long', async () => {
    connection.start()
    await connect()
    const later = Date.now() + 60_000
    vi.spyOn(Date, 'now').mockReturnValue(later)
    connection.ping()
    await vi.waitFor(() => expect(codes).toEqual([1006]))
  })
})
