// Proves that a picture shows the page as it was measured. Chrome hands out the frame that it drew last, which may be
// from before a scroll. So a row of random black and white cells is put on the page first. A picture that has this row
// at its place shows a later frame, and positions on the page are right for it.
import { browser } from 'wxt/browser'
import type { Rect } from '../extract/secrets'
import { bitmapOf } from './redact_picture'

const RANDOM_CELLS = 16
const CELL_PX = 4
const LEAST_CONTRAST = 64
const PLACE = 'pennyMark'

/** In CSS pixels of the visible part, whose width `view` is. */
interface Mark {
  rect: Rect
  view: number
}

export interface MarkedPicture {
  png: string
  mark: Mark
  cells: readonly boolean[]
}

/** Take a picture while the row is on the page. `isMarked` tells whether it shows the row. */
export async function takeMarked(tabId: number, take: () => Promise<string>): Promise<MarkedPicture> {
  const cells = randomCells()
  try {
    const mark = (await inTab(tabId, showMark, PLACE, cells, CELL_PX)) as Mark
    return { png: await take(), mark, cells }
  } finally {
    await inTab(tabId, removeMark, PLACE).catch(() => undefined) // the tab may be closed
  }
}

/** The first two tell how white and black look in the picture. */
function randomCells(): boolean[] {
  const [number = 0] = crypto.getRandomValues(new Uint16Array(1))
  return [true, false, ...Array.from({ length: RANDOM_CELLS }, (_, place) => ((number >> place) & 1) === 1)]
}

/** False: it shows another moment, another part of the page, or another page. */
export async function isMarked({ png, mark: { rect, view }, cells }: MarkedPicture): Promise<boolean> {
  const bitmap = await bitmapOf(png)
  try {
    const scale = bitmap.width / view
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true })
    if (!context) return false
    context.drawImage(bitmap, 0, 0)
    const y = Math.floor((rect.y + rect.height / 2) * scale)
    const greys = cells.map((_, place) => {
      const x = Math.floor((rect.x + ((place + 0.5) * rect.width) / cells.length) * scale)
      const [red = 0, green = 0, blue = 0] = context.getImageData(x, y, 1, 1).data
      return (red + green + blue) / 3
    })
    return areCells(greys, cells)
  } finally {
    bitmap.close()
  }
}

/** A page may show colours weaker, or inverted. */
export function areCells(greys: readonly number[], cells: readonly boolean[]): boolean {
  const [white = 0, black = 0] = greys
  if (Math.abs(white - black) < LEAST_CONTRAST) return false
  return cells.every((isWhite, place) => {
    const grey = greys[place] ?? 0
    return Math.abs(grey - white) < Math.abs(grey - black) === isWhite
  })
}

async function inTab<Arguments extends unknown[]>(
  tabId: number,
  func: (...args: Arguments) => unknown,
  ...args: Arguments
): Promise<unknown> {
  const [frame] = await browser.scripting.executeScript({ target: { tabId }, func, args })
  return frame?.result
}

/** Runs in the page. Resolves once it is drawn, as a rule. */
async function showMark(key: string, cells: readonly boolean[], cellPx: number): Promise<Mark> {
  const width = cellPx / devicePixelRatio
  const part = (declarations: Record<string, string>): HTMLElement => {
    const element = document.createElementNS('http://www.w3.org/1999/xhtml', 'div')
    for (const [name, value] of Object.entries({ all: 'initial', ...declarations }))
      element.style.setProperty(name, value, 'important')
    return element
  }
  const size = { display: 'block', width: `${cells.length * width}px`, height: `${width}px` }
  const stops = cells.map((isWhite, at) => `${isWhite ? '#fff' : '#000'} ${at * width}px ${(at + 1) * width}px`)
  const background = `linear-gradient(to right, ${stops.join(', ')})`
  const place = { position: 'absolute', left: `${scrollX}px`, top: `${scrollY}px`, 'pointer-events': 'none' }
  const host = part({ ...size, ...place })
  host.attachShadow({ mode: 'closed' }).append(part({ ...size, background, 'forced-color-adjust': 'none' }))
  host.popover = 'manual'
  document.documentElement.append(host)
  host.showPopover() // above what the page has in its top layer
  Reflect.set(globalThis, key, host)
  await new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve))
    setTimeout(resolve, 500) // a page that is not drawn
  })
  const { x, y, width: wide, height } = host.getBoundingClientRect()
  return { rect: { x, y, width: wide, height }, view: innerWidth }
}

/** Runs in the page. Resolves once the page knows of a scroll that the picture shows. */
async function removeMark(key: string): Promise<void> {
  ;(Reflect.get(globalThis, key) as Element | undefined)?.remove()
  Reflect.deleteProperty(globalThis, key)
  await new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve))
    setTimeout(resolve, 500)
  })
}
