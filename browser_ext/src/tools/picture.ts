// The picture that a page names for itself, as a small JPEG in a data: URL. It is fetched apart from the page: only
// from a granted host, without cookies or referrer. If that fails, the page has no picture.
import { abortable, deadline } from '../abortable'
import { fromBase64Url, toBase64 } from '../server/base64url'
import { hostOf, webUrl } from '../grants/hosts'
import type { Page, ToolResult } from '../protocol.gen'
import { fetchFile } from '../page_tabs/fetch_file'
import { imageSize } from './image_size'
import type { ToolContext } from '../page_tabs/call_context'

const PICTURE_MS = 10_000
/** Time reserved for sending the text, even if the picture takes too long. */
const MARGIN_MS = 1_000
/** No SVG: it is a document. */
const KINDS = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']
const FETCHED_BYTES = 5 * 1024 * 1024
/** 160 MB when decoded. A small file can claim far more. */
const DECODED_PIXELS = 40_000_000
/** Smaller pictures are icons and counters. */
const SHORTEST_PX = 64
const LONGEST_PX = 960
/** Larger than a page's picture: the owner asks about what is in it. */
const POINTED_AT_PX = 1600
const DATA = /^data:image\/[a-z+]+;base64,([A-Za-z0-9+/=]+)$/
const SENT_BYTES = 256 * 1024
const QUALITIES = [0.85, 0.7, 0.5, 0.3]

/** Return the page with its picture instead of the picture's address, or without one. */
export async function withPicture(
  { image: address, ...page }: Page,
  context: Pick<ToolContext, 'signal' | 'endsAt' | 'permits'>,
): Promise<Page> {
  if (!address) return page
  const limit = deadline(
    Math.min(PICTURE_MS, context.endsAt - MARGIN_MS - Date.now()),
    () => new Error('took too long'),
  )
  const signal = AbortSignal.any([context.signal, limit.signal])
  try {
    return { ...page, image: await abortable(picture(address, context.permits, signal), signal) }
  } catch (reason) {
    context.signal.throwIfAborted()
    console.debug('Penny: the picture was left out', webUrl(address)?.hostname, reason)
    return page
  } finally {
    limit.stop()
  }
}

/** A frame of another kind, or without a picture, is returned unchanged. */
export function withoutPicture(frame: ToolResult): ToolResult {
  if (!frame.result || !('extracted_with' in frame.result)) return frame
  const { image: _, ...result } = frame.result
  return { ...frame, result }
}

/**
 * Return the picture that the owner pointed at as a small JPEG. Pointing at it is the permission: its host needs no
 * grant.
 */
export async function pointedAt(address: string, signal: AbortSignal): Promise<ArrayBuffer> {
  const match = DATA.exec(address)
  const bytes = match?.[1]
    ? fromBase64Url(match[1])
    : await fetchedPicture(webUrl(address) ?? failPicture('it is not at a web address'), signal, 'follow')
  return jpegOf(bytes, signal, 1, POINTED_AT_PX)
}

async function picture(address: string, permits: ToolContext['permits'], signal: AbortSignal): Promise<string> {
  const jpeg = await jpegOf(await fetchedPicture(allowedUrl(address, permits), signal), signal)
  return `data:image/jpeg;base64,${toBase64(jpeg)}`
}

/** Return an image as a small JPEG. Throws if it is no image, too small, or too large to decode. */
async function jpegOf(
  bytes: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
  shortest = SHORTEST_PX,
  longest = LONGEST_PX,
): Promise<ArrayBuffer> {
  const { width, height } = imageSize(bytes) ?? failPicture('it is not an image of these kinds')
  if (Math.min(width, height) < shortest) failPicture('it is small')
  if (width * height > DECODED_PIXELS) failPicture('it has too many pixels')
  return toJpeg(await createImageBitmap(new Blob([bytes])), signal, longest)
}

/** The host of the picture needs a grant like the page's. */
function allowedUrl(address: string, permits: ToolContext['permits']): URL {
  const url = webUrl(address) ?? failPicture('it is not at a web address')
  return permits(url) ? url : failPicture(`you have not allowed ${hostOf(url)}`)
}

/** Redirects are not followed where they could lead to a host without a grant. */
function fetchedPicture(
  url: URL,
  signal: AbortSignal,
  redirect: RequestRedirect = 'error',
): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => failPicture('it is too large')
  return fetchFile(url, {
    signal,
    credentials: 'omit',
    redirect,
    mostBytes: FETCHED_BYTES,
    check: assertPicture,
    tooLarge,
  })
}

function assertPicture({ ok, status, headers, body }: Response): void {
  const kind = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!ok || !body) failPicture(`the site answered with ${status}`)
  if (!KINDS.includes(kind)) failPicture(`it is ${kind || 'of no kind'}`)
}

async function toJpeg(image: ImageBitmap, signal: AbortSignal, longest: number): Promise<ArrayBuffer> {
  const canvas = scaleDown(image, longest)
  for (const quality of QUALITIES) {
    signal.throwIfAborted()
    const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality })
    if (jpeg.size <= SENT_BYTES) return jpeg.arrayBuffer()
  }
  return failPicture('it does not get small enough')
}

/** On white, because JPEG has no transparency. Frees the image. */
function scaleDown(image: ImageBitmap, longest: number): OffscreenCanvas {
  const scale = Math.min(1, longest / Math.max(image.width, image.height))
  const [width, height] = [image.width, image.height].map((side) => Math.max(1, Math.round(side * scale))) as [
    number,
    number,
  ]
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { alpha: false }) ?? failPicture('there is no canvas')
  context.fillStyle = 'white'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, width, height)
  image.close()
  return canvas
}

function failPicture(why: string): never {
  throw new Error(why)
}
