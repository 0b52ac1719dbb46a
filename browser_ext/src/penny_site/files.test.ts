// @vitest-environment jsdom
// The files of a message in the web chat, whose modules are shared with the panel or beside those that are.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  attachments,
  detachAll,
  retryPictures,
  fileElements,
  watchFilePicker,
  watchPictures,
} from '../../../penny_site/static/penny/chat/file_picker.js'
import { draftExtras } from '../../../penny_site/static/penny/chat/storage.js'

const IMAGE = 'http://127.0.0.1:8787/pictures/a.webp'
const PAGE =
  '<form id="composer"><ul id="files"></ul><textarea id="words"></textarea></form><input id="attach-files" type="file"><button id="attach"></button>'
let announcements: string[]
let sizes: number[][]

function begin(before: Attachment[] = []): void {
  document.body.innerHTML = PAGE
  announcements = []
  watchFilePicker(
    before,
    (words) => void announcements.push(words),
    (files) => draftExtras.set({ files }),
  )
}

type Attachment = Parameters<typeof watchFilePicker>[0][number]

function paste(...files: File[]): void {
  const event = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData: { files } })
  document.querySelector('#words')?.dispatchEvent(event)
}

beforeEach(() => {
  localStorage.clear()
  sizes = []
  class Canvas {
    getContext = () => ({ fillRect: () => undefined, drawImage: () => undefined })
    convertToBlob = async () => ({ size: 2, arrayBuffer: async () => new Uint8Array([255, 239]).buffer })
  }
  vi.stubGlobal('OffscreenCanvas', Canvas)
  vi.stubGlobal('createImageBitmap', async () => ({ width: 64, height: 48, close: () => undefined }))
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    drawImage: (_: unknown, ...at: number[]) => sizes.push(at),
  } as never)
})

describe('files in the web chat', () => {
  it('are shown small, survive a reload as a draft, and are left out by a button', async () => {
    begin()
    paste(new File(['x'], 'stove.png', { type: 'image/png' }))
    await vi.waitFor(() => expect(attachments()).toEqual([{ name: 'stove.png', mime: 'image/jpeg', data: '_-8' }]))
    expect(document.querySelector('#files canvas')?.getAttribute('aria-label')).toBe('stove.png')
    await vi.waitFor(() => expect(sizes).toEqual([[0, 0]]))
    begin(draftExtras.get().files)
    expect(document.querySelector('#files .name')?.textContent).toBe('stove.png')
    document.querySelector<HTMLElement>('#files button')?.click()
    expect([attachments(), draftExtras.get().files, document.querySelector<HTMLElement>('#files')?.hidden]).toEqual([
      [],
      [],
      true,
    ])
  })

  it('are gone from the draft when they were sent', () => {
    begin([{ name: 'a.txt', mime: 'text/plain', data: 'YQ' }])
    detachAll()
    expect(draftExtras.get()).toEqual({ files: [], quoted: '' })
  })

  it('say why one does not go along', async () => {
    begin()
    const bytes = new Uint8Array([0x25, 0x50, 0x44, 0x46, 0xff])
    paste(
      Object.assign(new File([bytes], 'a.pdf', { type: 'application/pdf' }), { arrayBuffer: async () => bytes.buffer }),
    )
    await vi.waitFor(() =>
      expect(announcements).toEqual([
        'a.pdf is neither text nor a picture. The words of a PDF can be copied into the box.',
      ]),
    )
  })
})

describe('the pictures of a message in the web chat', () => {
  it('are those that Penny serves, by their names until she has them', () => {
    const message = document.createElement('p')
    message.append(
      ...fileElements([
        { name: 'stove.jpg', mime: 'image/jpeg', image: IMAGE },
        { name: 'a.txt', mime: 'text/plain' },
      ]),
    )
    expect([...message.children].map((child) => child.tagName)).toEqual(['A', 'SPAN'])
    message.querySelector('img')?.dispatchEvent(new Event('error'))
    expect([...message.children].map((child) => [child.className, child.textContent])).toEqual([
      ['chip', 'stove.jpg'],
      ['chip', 'a.txt'],
    ])
    retryPictures(message)
    expect(message.querySelector('img')?.src).toBe(IMAGE)
  })

  it('that came with the page and cannot be shown are their names, too', () => {
    const message = document.createElement('article')
    message.innerHTML = `<p class="files"><a class="pictured" href="${IMAGE}"><img src="${IMAGE}" alt="stove.jpg"></a></p>`
    watchPictures(message)
    message.querySelector('img')?.dispatchEvent(new Event('error'))
    expect(message.querySelector('.chip')?.textContent).toBe('stove.jpg')
  })
})
