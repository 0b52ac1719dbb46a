import { beforeAll, describe, expect, it } from 'vitest'
import { fromBase64Url } from './base64url'
import type { ClientFrame, ServerFrame } from '../protocol.gen'
import { cast, challenge, NONCE, ORIGIN, welcome, type Cast } from './fake_server'
import { ServerNotProven, shakeHands, type Wire } from './handshake'
import { isSignedBy, newKeys, publicBytes } from './identity'

type Answer = (frame: ClientFrame) => Promise<ServerFrame> | ServerFrame

class FakeWire implements Wire {
  readonly frames: ClientFrame[] = []
  constructor(private readonly answer: Answer) {}
  send(frame: ClientFrame): void {
    this.frames.push(frame)
  }
  async receive(): Promise<ServerFrame> {
    const last = this.frames.at(-1)
    if (!last) throw new Error('nothing was sent')
    return this.answer(last)
  }
}

let people: Cast
beforeAll(async () => void (people = await cast()))

const honest: Answer = (frame) => (frame.type === 'auth.hello' ? challenge(people.server, frame.nonce) : welcome())

describe('the handshake', () => {
  it('proves this device to the server, bound to nonce, device and origin', async () => {
    const wire = new FakeWire(honest)
    expect(await shakeHands(wire, people.own)).toEqual(welcome())
    const [hello, proof] = wire.frames
    expect(hello).toMatchObject({ type: 'auth.hello', device_id: 'device-1', protocol: 1, client: people.own.client })
    expect(proof).toMatchObject({ type: 'auth.proof', tools: ['browse_url'], cursor: 41 })
    const signature = proof?.type === 'auth.proof' ? fromBase64Url(proof.signature) : new Uint8Array()
    const message = `penny-device-v1\n${NONCE}\ndevice-1\n${ORIGIN}`
    expect(await isSignedBy(await publicBytes(people.own.keys), signature, message)).toBe(true)
  })

  it('uses a new nonce every time', async () => {
    const wires = [new FakeWire(honest), new FakeWire(honest)]
    for (const wire of wires) await shakeHands(wire, people.own)
    const nonces = wires.map(({ frames: [hello] }) => hello?.type === 'auth.hello' && hello.nonce)
    expect(new Set(nonces).size).toBe(2)
  })

  it('gives a server with another key nothing but the greeting', async () => {
    const other = await newKeys()
    const wire = new FakeWire((frame) => (frame.type === 'auth.hello' ? challenge(other, frame.nonce) : welcome()))
    await expect(shakeHands(wire, people.own)).rejects.toThrow(ServerNotProven)
    expect(wire.frames.map((frame) => frame.type)).toEqual(['auth.hello'])
  })

  it('does not take an old proof for a new one', async () => {
    const wire = new FakeWire(() => challenge(people.server, 'an-earlier-nonce'))
    await expect(shakeHands(wire, people.own)).rejects.toThrow(ServerNotProven)
  })

  it('does not take a welcome, or nonsense, for a proof', async () => {
    await expect(shakeHands(new FakeWire(() => welcome()), people.own)).rejects.toThrow(ServerNotProven)
    const nonsense: ServerFrame = { type: 'auth.challenge', nonce: NONCE, signature: '!!!' }
    await expect(shakeHands(new FakeWire(() => nonsense), people.own)).rejects.toThrow(ServerNotProven)
  })
})
