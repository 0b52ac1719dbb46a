// The panel's box in a test: shown, typed into, and given what a browser would bring. The test plays the background.
import { h, render, type ComponentProps } from 'preact'
import { vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { PanelComposer } from '../panel/panel_composer'

export const SERVER = 'http://127.0.0.1:8787'

export const field = () => document.querySelector<HTMLTextAreaElement>('#composer') as HTMLTextAreaElement
/** The names of the files that go along. */
export const fileNames = () => [...document.querySelectorAll('ul.files .name')].map((name) => name.textContent)
const holder = () => document.getElementById('app') as HTMLElement

/** Begin with an empty page in a window, and nothing stored. */
export function emptyPage(): void {
  vi.unstubAllGlobals()
  fakeBrowser.reset()
  document.body.innerHTML = '<div id="app"></div>'
  inWindow(7)
}

/** Where the panel stands, and which tab is in front there. */
export function inWindow(id: number, front?: { id: number; url: string; title?: string; favIconUrl?: string }): void {
  Object.assign(fakeBrowser.windows, { getCurrent: async () => ({ id }) })
  Object.assign(fakeBrowser.tabs, { getCurrent: async () => undefined })
  vi.spyOn(fakeBrowser.tabs, 'query').mockResolvedValue(
    (front ? [{ ...front, active: true, incognito: false }] : []) as never,
  )
}

/** Show the box of a panel, by itself without a connection. */
export function showBox(more: Partial<ComponentProps<typeof PanelComposer>> = {}, at: Element = holder()): void {
  const box = {
    turns: [],
    server: SERVER,
    isTemporary: false,
    obstacle: 'unknown' as const,
    quotedMessage: null,
    onQuote: () => undefined,
    keeping: [],
    isConnected: false,
    proposal: null,
  }
  render(h(PanelComposer, { ...box, ...more }), at)
}

export function closeBox(): void {
  render(null, holder())
}

export function typeText(text: string): void {
  field().value = text
  field().dispatchEvent(new Event('input', { bubbles: true }))
}

/** Return whether the browser is left to insert the words itself. */
export function bring(
  way: 'paste' | 'drop',
  files: File[],
  types: Record<string, string> = {},
  at: Element = field(),
): boolean {
  const event = new Event(way, { bubbles: true, cancelable: true })
  const transfer = { files, types: Object.keys(types), getData: (type: string) => types[type] ?? '' }
  return at.dispatchEvent(Object.assign(event, { [way === 'paste' ? 'clipboardData' : 'dataTransfer']: transfer }))
}

export function pictureFile(name = 'image.png'): File {
  return new File([new Uint8Array([0xff, 0xd8, 0xff])], name, { type: 'image/png' })
}

/**
 * Have pictures decoded, 3200 by 2400, and drawn with as many bytes as `bytes` says for a longest side and a quality.
 */
export function drawPictures(bytes: (longest: number, quality: number) => number): void {
  class Canvas {
    constructor(
      readonly width: number,
      readonly height: number,
    ) {}
    getContext = () => ({ fillRect: () => undefined, drawImage: () => undefined })
    convertToBlob = async ({ quality }: { quality: number }) => {
      const data = new Uint8Array(bytes(Math.max(this.width, this.height), quality))
      return { size: data.length, arrayBuffer: async () => data.buffer }
    }
  }
  vi.stubGlobal('OffscreenCanvas', Canvas)
  vi.stubGlobal('createImageBitmap', async () => ({ width: 3200, height: 2400, close: () => undefined }))
}
