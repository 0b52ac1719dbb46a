import { describe, expect, it } from 'vitest'
import { imageSize } from './image_size'

function bytes(...parts: (string | number[])[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...part].map((one) => one.charCodeAt(0)) : part)),
  )
}

const png = bytes([0x89], 'PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 3, 0x20, 0, 0, 1, 0])
const gif = bytes('GIF89a', [0x20, 3, 0, 1])
const lossy = bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8 ', [0, 0, 0, 0], [0, 0, 0, 0x9d, 1, 0x2a], [0x20, 0x43, 0, 1])
const lossless = bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8L', [0, 0, 0, 0], [0x2f, 0x1f, 0xc3, 0x3f, 0])
const extendedWebp = bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0], [0, 0, 0, 0], [0x1f, 3, 0, 0xff, 0, 0])
const jpeg = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc4, 0, 3, 9, 0xff, 0xc2, 0, 17, 8, 1, 0, 3, 0x20])

describe('the size of an image', () => {
  it.each(Object.entries({ png, gif, lossy, lossless, extended: extendedWebp, jpeg }))(
    'stands in its first bytes: %s',
    (_name, image) => {
      expect(imageSize(image)).toEqual({ width: 800, height: 256 })
    },
  )

  it('is unknown for anything else, and for what ends too early', () => {
    const others = [
      bytes(),
      bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      png.slice(0, 20),
      jpeg.slice(0, 12),
      bytes([0xff, 0xd8, 0, 0]),
    ]
    expect(others.map(imageSize)).toEqual([null, null, null, null, null])
  })
})
