import { describe, expect, it } from 'vitest'
import { fromBase64Url, toBase64Url } from './base64url'
import { byteLength, encodeFrame, parseFrame } from './frames'

describe('a frame', () => {
  it('leaves without what the server refuses in texts', () => {
    const text = encodeFrame({ type: 'chat.send', turn_id: 't', text: 'a\0b\uD800c 😀' })
    expect(JSON.parse(text)).toEqual({ type: 'chat.send', turn_id: 't', text: 'ab\uFFFDc 😀' })
  })

  it('is read only when it is an object with a type', () => {
    expect(parseFrame('{"type":"pong"}')).toEqual({ type: 'pong' })
    for (const wrong of ['', '[]', 'null', '{}', '{"type":1}', '{', new ArrayBuffer(1)])
      expect(parseFrame(wrong)).toBeNull()
  })

  it('is measured in bytes', () => {
    expect(byteLength('aé😀')).toBe(7)
  })
})

describe('base64url', () => {
  it('has no padding, and comes back as it was', () => {
    const bytes = Uint8Array.from([251, 255, 254, 0, 1])
    expect(toBase64Url(bytes)).toBe('-__-AAE')
    expect(fromBase64Url('-__-AAE')).toEqual(bytes)
  })
})
