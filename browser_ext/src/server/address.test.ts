import { describe, expect, it } from 'vitest'
import { BadAddress, serverOrigin, socketUrl } from './address'

describe('the address of the server', () => {
  it.each([
    ['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
    [' http://localhost:8787/setup/?a=b#c ', 'http://localhost:8787'],
    ['http://[::1]:8787', 'http://[::1]:8787'],
    ['127.0.0.1:8787', 'http://127.0.0.1:8787'],
    ['localhost:8787', 'http://localhost:8787'],
    ['penny.example.org', 'https://penny.example.org'],
    ['https://penny.example.org:8443/', 'https://penny.example.org:8443'],
    ['https://home.example.org/penny', 'https://home.example.org/penny'],
    ['home.example.org/penny/setup/', 'https://home.example.org/penny'],
  ])('%s is kept as %s', (address, origin) => {
    expect(serverOrigin(address)).toBe(origin)
  })

  it.each(['http://192.168.1.5:8787', 'http://penny.example.org', 'http://127.0.0.1.evil.example'])(
    'without TLS %s is refused',
    (address) => {
      expect(() => serverOrigin(address)).toThrow(/https/)
    },
  )

  it.each(['', 'ftp://127.0.0.1', 'javascript:alert(1)', 'https://me:secret@penny.example.org', 'http://'])(
    '%s is no address',
    (address) => {
      expect(() => serverOrigin(address)).toThrow(BadAddress)
    },
  )

  it('leads to the socket with the same security', () => {
    expect(socketUrl('http://127.0.0.1:8787')).toBe('ws://127.0.0.1:8787/ws/device')
    expect(socketUrl('https://penny.example.org')).toBe('wss://penny.example.org/ws/device')
    expect(socketUrl('https://home.example.org/penny')).toBe('wss://home.example.org/penny/ws/device')
  })
})
