// Makes a picture of a page ready to send: joins its strips, paints over secrets, and scales it to fit a frame.
import { toBase64 } from '../server/base64url'
import type { Rect } from '../extract/secrets'

/** A part of the page as the browser photographed it, and its position on the page. */
export interface Strip {
  png: string
  place: Rect
  /** What Penny put on the page for the picture, in CSS pixels of the part. */
  mark?: Rect
}

export interface Painted {
  image: string
  width: number
  height: number
  masked: number
}

const LONGEST_PX = 2_048
const SENT_BYTES = 256 * 1024
const SIZES = [1, 0.75, 0.5, 0.35]
const QUALITIES = [0.85, 0.7, 0.5]

/** `area`: the part of the page that the picture shows. Throws if it cannot be made small enough. */
export async function redactPicture(strips: readonly Strip[], area: Rect, secrets: readonly Rect[]): Promise<Painted> {
  const masks = secrets.filter((secret) => meet(secret, area))
  const scale = Math.min(1, LONGEST_PX / Math.max(area.width, area.height))
  const pictures = await Promise.all(strips.map(async (strip) => ({ ...strip, bitmap: await bitmapOf(strip.png) })))
  try {
    for (const size of SIZES) {
      const canvas = drawPicture(pictures, area, masks, scale * size)
      const image = await fitting(canvas)
      if (image) return { image, width: canvas.width, height: canvas.height, masked: masks.length }
    }
  } finally {
    pictures.forEach(({ bitmap }) => bitmap.close())
  }
  throw new Error('the picture does not get small enough')
}

export function meet(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

function drawPicture(
  pictures: readonly (Strip & { bitmap: ImageBitmap })[],
  area: Rect,
  masks: readonly Rect[],
  scale: number,
): OffscreenCanvas {
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(area.width * scale)),
    Math.max(1, Math.round(area.height * scale)),
  )
  const context = canvas.getContext('2d', { alpha: false })
  if (!context) throw new Error('there is no canvas')
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.scale(scale, scale)
  context.translate(-area.x, -area.y)
  for (const { bitmap, place, mark } of pictures) {
    context.drawImage(bitmap, place.x, place.y, place.width, place.height)
    context.fillStyle = 'grey'
    if (mark) context.fillRect(place.x + mark.x - 1, place.y + mark.y - 1, mark.width + 2, mark.height + 2)
  }
  context.fillStyle = 'black'
  masks.forEach(({ x, y, width, height }) => context.fillRect(x, y, width, height))
  return canvas
}

async function fitting(canvas: OffscreenCanvas): Promise<string | null> {
  for (const quality of QUALITIES) {
    const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality })
    if (jpeg.size <= SENT_BYTES) return `data:image/jpeg;base64,${toBase64(await jpeg.arrayBuffer())}`
  }
  return null
}

export function bitmapOf(png: string): Promise<ImageBitmap> {
  const bytes = Uint8Array.from(atob(png.slice(png.indexOf(',') + 1)), (letter) => letter.charCodeAt(0))
  return createImageBitmap(new Blob([bytes], { type: 'image/png' }))
}
