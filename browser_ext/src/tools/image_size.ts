// Reads the size of an image from its first bytes, so that a huge image is never decoded.

export interface ImageSize {
  width: number
  height: number
}

/** Read JPEG, PNG, GIF or WebP. Null for anything else. */
export function imageSize(bytes: Uint8Array<ArrayBuffer>): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return sizeIn(view)
  } catch (reason) {
    if (reason instanceof RangeError) return null // the file ends before its size
    throw reason
  }
}

function sizeIn(view: DataView): ImageSize | null {
  if (text(view, 1, 3) === 'PNG') return { width: view.getUint32(16), height: view.getUint32(20) }
  if (text(view, 0, 4) === 'GIF8') return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  if (text(view, 0, 4) === 'RIFF' && text(view, 8, 4) === 'WEBP') return webpSize(view)
  return view.getUint16(0) === 0xffd8 ? jpegSize(view) : null
}

/** Lossy, lossless and extended: https://developers.google.com/speed/webp/docs/riff_container. */
function webpSize(view: DataView): ImageSize | null {
  const kind = text(view, 12, 4)
  if (kind === 'VP8 ') return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  if (kind === 'VP8L')
    return { width: (view.getUint32(21, true) & 0x3fff) + 1, height: ((view.getUint32(21, true) >> 14) & 0x3fff) + 1 }
  if (kind !== 'VP8X') return null
  return { width: (view.getUint32(24, true) & 0xffffff) + 1, height: (view.getUint32(26, true) >>> 8) + 1 }
}

/** The size is in the first frame header (SOF). Each segment before it states its own length. */
function jpegSize(view: DataView): ImageSize | null {
  let at = 2
  while (view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1)
    if (isFrameHeader(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return null
}

/** C4, C8 and CC are in that range, but are no frame headers. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function text(view: DataView, at: number, length: number): string {
  return Array.from({ length }, (_, index) => String.fromCharCode(view.getUint8(at + index))).join('')
}
