import { afterEach, beforeEach, describe, expect, it, vi, type Mock } from 'vitest'
import type { Page } from '../protocol.gen'
import { contextFor } from './fake_browser'
import { withoutPicture, withPicture } from './picture'

const ADDRESS = 'https://img.example.com/a.png'
const page: Page = {
  url: 'https://example.com/a',
  title: 'A',
  text: 'words',
  links: [],
  extracted_with: 'defuddle',
  truncated: false,
}
const MiB = 1024 * 1024

let request: Mock<typeof fetch>
let sizes: number[][]
let leftOut: Mock

/** The start of a PNG of that size, and as many bytes as wanted. */
function png(width: number, height: number, size = 24): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  bytes.set([0x89, 0x50, 0x4e, 0x47])
  new DataView(bytes.buffer).setUint32(16, width)
  new DataView(bytes.buffer).setUint32(20, height)
  return bytes
}

function answer(body: BodyInit = png(1920, 1080), type = 'image/png', status = 200): void {
  request.mockImplementation(async () => new Response(body, { status, headers: { 'content-type': type } }))
}

/** A canvas whose JPEGs have the size that the test says for a quality. */
function draw(sizeAt: (quality: number) => number = () => 3): void {
  class Canvas {
    constructor(
      readonly width: number,
      readonly height: number,
    ) {}
    getContext = () => ({
      fillRect: () => undefined,
      drawImage: (_image: unknown, ...box: number[]) => sizes.push(box),
    })
    convertToBlob = async ({ quality }: { quality: number }) => new Blob([new Uint8Array(sizeAt(quality))])
  }
  vi.stubGlobal('OffscreenCanvas', Canvas)
}

beforeEach(() => {
  sizes = []
  request = vi.fn<typeof fetch>()
  leftOut = vi.spyOn(console, 'debug').mockImplementation(() => undefined)
  const decode = async (blob: Blob) => {
    const view = new DataView(await blob.arrayBuffer())
    return { width: view.getUint32(16), height: view.getUint32(20), close: () => undefined }
  }
  vi.stubGlobal('fetch', request)
  vi.stubGlobal('createImageBitmap', vi.fn(decode))
  answer()
  draw()
})
afterEach(() => void vi.unstubAllGlobals())

const look = (image: string | null = ADDRESS, { context } = contextFor('img.example.com')) =>
  withPicture({ ...page, image }, context)
const reason = () => String(leftOut.mock.calls.at(-1)?.at(-1))

describe('the picture of a page', () => {
  it('is a scaled JPEG in place of its address', async () => {
    expect(await look()).toEqual({ ...page, image: 'data:image/jpeg;base64,AAAA' })
    expect(sizes).toEqual([[0, 0, 960, 540]])
  })

  it('is fetched without cookies, referrer or redirects', async () => {
    await look()
    const quietly = { credentials: 'omit', referrerPolicy: 'no-referrer', redirect: 'error', cache: 'no-store' }
    expect(request.mock.calls).toEqual([
      [new URL(ADDRESS), { ...quietly, signal: expect.any(AbortSignal) as AbortSignal }],
    ])
  })

  it.each([
    'https://cdn.example/a.png',
    'file:///etc/passwd',
    'https://owner:password@img.example.com/a.png',
    'data:image/png;base64,AAAA',
  ])('is not fetched from %s', async (address) => {
    expect(await look(address)).toEqual(page)
    expect(request).not.toHaveBeenCalled()
  })

  it.each<[string, () => void]>([
    ['it is image/svg+xml', () => answer('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml')],
    ['it is not an image of these kinds', () => answer('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['the site answered with 404', () => answer(png(800, 600), 'image/png', 404)],
    ['redirected', () => request.mockRejectedValue(new Error('redirected'))],
    ['it is small', () => answer(png(800, 63))],
    ['it has too many pixels', () => answer(png(30_000, 30_000))],
    ['it is too large', () => answer(png(800, 600, 5 * MiB + 1))],
    ['it does not get small enough', () => draw(() => MiB)],
  ])('is left out, and the page is not, when %s', async (why, change) => {
    change()
    expect(await look()).toEqual(page)
    expect(reason()).toBe(`Error: ${why}`)
  })

  it('gets worse until it is small enough to send', async () => {
    draw((quality) => (quality > 0.5 ? 256 * 1024 + 1 : 256 * 1024))
    const { image } = await look()
    expect(image).toHaveLength('data:image/jpeg;base64,'.length + 349_528)
  })

  it('is read no further than the cap', async () => {
    const cancel = vi.fn()
    let parts = 0
    answer(
      new ReadableStream({
        pull: (stream) => (++parts > 20 ? stream.close() : stream.enqueue(png(800, 600, MiB))),
        cancel,
      }),
    )
    expect(await look()).toEqual(page)
    expect(cancel).toHaveBeenCalled()
  })

  it('does not take the time that the text needs', async () => {
    request.mockImplementation(() => new Promise(() => undefined))
    const call = contextFor('img.example.com')
    call.context.endsAt = Date.now() + 1_050
    expect(await look(ADDRESS, call)).toEqual(page)
    expect(reason()).toBe('Error: took too long')
  })

  it('ends with the call', async () => {
    const call = contextFor('img.example.com')
    request.mockImplementation(async () => call.controller.abort(new Error('cancelled')) as never)
    await expect(look(ADDRESS, call)).rejects.toThrow('cancelled')
  })

  it('is the first thing to go from an answer that is too large', () => {
    const frame = { type: 'tool.result', call_id: '1' } as const
    expect(withoutPicture({ ...frame, result: { ...page, image: 'data:' } })).toEqual({ ...frame, result: page })
    expect(withoutPicture({ ...frame, result: { results: [] } })).toEqual({ ...frame, result: { results: [] } })
  })
})
