import { browser } from 'wxt/browser'
import { abortable, delay } from '../abortable'
import type { Screen } from '../extract/screen'
import type { Rect } from '../extract/secrets'
import { firefox } from '../firefox'
import { urlToTell } from '../grants/hosts'
import type { Screenshot, ScreenshotPageArguments } from '../protocol.gen'
import { runInPage } from '../page_tabs/run_in_page'
import { hideOwnPart, showOwnPart } from './own_part'
import { isMarked, takeMarked } from './frame_mark'
import { redactPicture, type Strip } from './redact_picture'
import { mayTakePictures } from './pictures_permission'
import { ToolFailure, type ToolContext } from '../page_tabs/call_context'
import { grantedInFront, notGranted } from './page_in_front'
import { tool } from './tool'

/** Of a longer page, the picture shows the beginning. */
const HIGHEST_PX = 8_000
const STRIPS_MOST = 8
/** Chrome limits an extension to two pictures a second. */
const PAUSE_MS = 550
const TRIES = 3
const MOVED_PX = 1

interface Shown {
  id: number
  windowId: number
}

/**
 * Photograph the page in front, if the owner granted its site. Secrets are located before and after the picture, and
 * painted over at both positions. If the page or a secret moved meanwhile, another picture is taken.
 */
export const screenshotPage = tool(
  isScreenshotPage,
  async (parameters: ScreenshotPageArguments, context: ToolContext): Promise<Screenshot> => {
    if (!(await mayTakePictures()))
      throw new ToolFailure('not_granted', 'Taking pictures of pages is off in this browser.')
    const tab = await frontTab(context)
    for (let tries = 0; tries < TRIES; tries++) {
      if (tries > 0) await delay(PAUSE_MS, context.signal)
      const screenshot = await takePicture(tab, parameters, context)
      if (screenshot) return screenshot
    }
    throw new ToolFailure('load_failed', 'The page did not hold still for a picture.')
  },
)

/** Null if the page moved meanwhile. */
async function takePicture(
  tab: Shown,
  parameters: ScreenshotPageArguments,
  context: ToolContext,
): Promise<Screenshot | null> {
  const before = await currentScreen(tab, context)
  const area = await areaOf(tab, parameters, before, context)
  const shot = await withoutOwnPart(tab, async () =>
    import.meta.env.FIREFOX
      ? { strips: [await takeArea(tab, area)], secretBoxes: [] }
      : takeByScrolling(tab, area, before, context),
  )
  const after = await currentScreen(tab, context)
  if (!shot || !isSame(before, after)) return null
  const secrets = onceEach([...before.secrets, ...shot.secretBoxes, ...after.secrets])
  const picture = await abortable(redactPicture(shot.strips, area, secrets), context.signal)
  return { url: urlToTell(new URL(after.url)), ...picture }
}

/** Null if what Penny puts on pages came anew meanwhile. */
async function withoutOwnPart<T>(tab: Shown, take: () => Promise<T>): Promise<T | null> {
  await hideOwnPart(tab.id)
  try {
    const shot = await take()
    return (await showOwnPart(tab.id)) ? shot : null
  } catch (failure) {
    await showOwnPart(tab.id).catch(() => undefined) // the tab may be closed
    throw failure
  }
}

async function frontTab(context: ToolContext): Promise<Shown> {
  const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true })
  if (tab?.id === undefined || tab.incognito) throw notGranted()
  assertGranted(tab.url ?? '', context)
  return { id: tab.id, windowId: tab.windowId }
}

/** Ask the page itself for its address, and whether it is still in front: the picture shows what is there. */
async function currentScreen(tab: Shown, context: ToolContext): Promise<Screen> {
  const screen = await runInPage<Screen>({ id: tab.id, signal: context.signal }, '/extract_screen.js')
  assertGranted(screen.url, context)
  const [front] = await browser.tabs.query({ active: true, windowId: tab.windowId })
  if (front?.id !== tab.id) throw notGranted()
  return screen
}

async function areaOf(
  tab: Shown,
  { area, selector }: ScreenshotPageArguments,
  { view, page }: Screen,
  context: ToolContext,
): Promise<Rect> {
  if (area === 'visible') return view
  if (area === 'full')
    return { x: 0, y: 0, width: page.width, height: Math.min(page.height, HIGHEST_PX, STRIPS_MOST * view.height) }
  const [frame] = await abortable(
    browser.scripting.executeScript({ target: { tabId: tab.id }, func: rectOf, args: [selector ?? ''] }),
    context.signal,
  )
  const rect = frame?.result as Rect | null
  if (!rect || rect.width < 1 || rect.height < 1)
    throw new ToolFailure('no_element', 'There is no such thing on the page.')
  return { ...rect, height: Math.min(rect.height, HIGHEST_PX, (STRIPS_MOST - 1) * view.height) }
}

/** Runs in the page. */
function rectOf(selector: string): Rect | null {
  try {
    const box = document.querySelector(selector)?.getBoundingClientRect()
    return box ? { x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height } : null
  } catch {
    return null // not a selector
  }
}

/** Firefox photographs any part of a page, visible or not. */
async function takeArea(tab: Shown, area: Rect): Promise<Strip> {
  const png = await firefox.tabs.captureTab(tab.id, { format: 'png', rect: area, scale: 1 }).catch(notTaken)
  return { png, place: area }
}

/**
 * Chrome photographs only the visible part, so longer areas are scrolled through. Afterwards the page is scrolled back.
 * Null if the page moved during one of the pictures, or one does not show it as it was measured.
 */
async function takeByScrolling(
  tab: Shown,
  area: Rect,
  { view, page }: Screen,
  context: ToolContext,
): Promise<{ strips: Strip[]; secretBoxes: Rect[] } | null> {
  const strips: Strip[] = []
  const secretBoxes: Rect[] = []
  try {
    for (const y of stopsOf(area, view, page.height)) {
      await pauseBetween(context)
      if (y !== null) await scrollTo(tab, view.x, y)
      const before = await currentScreen(tab, context)
      const shot = await takeMarked(tab.id, () => visiblePart(tab.windowId))
      const after = await currentScreen(tab, context)
      if (!isSame(before, after) || !(await isMarked(shot))) return null
      strips.push({ png: shot.png, place: after.view, mark: shot.mark.rect })
      secretBoxes.push(...before.secrets, ...after.secrets)
    }
  } finally {
    await scrollTo(tab, view.x, view.y).catch(() => undefined) // the tab may be closed
  }
  return { strips, secretBoxes }
}

let pictureTakenAt = -Infinity

async function visiblePart(windowId: number): Promise<string> {
  const png = await browser.tabs.captureVisibleTab(windowId, { format: 'png' }).catch(notTaken)
  pictureTakenAt = performance.now()
  return png
}

/** Chrome takes two pictures a second, whoever asks for them. */
async function pauseBetween({ signal }: ToolContext): Promise<void> {
  const left = pictureTakenAt + PAUSE_MS - performance.now()
  if (left > 0) await delay(left, signal)
}

/** Scroll positions, from the top, that together show the whole area. Null stands for the present position. */
export function stopsOf(area: Rect, view: Rect, height: number): (number | null)[] {
  if (area.y >= view.y && area.y + area.height <= view.y + view.height) return [null]
  const last = Math.max(0, height - view.height)
  const count = Math.min(STRIPS_MOST, Math.ceil(area.height / view.height))
  return [...new Set(Array.from({ length: count }, (_, index) => Math.min(last, area.y + index * view.height)))]
}

async function scrollTo(tab: Shown, x: number, y: number): Promise<void> {
  await browser.scripting.executeScript({
    target: { tabId: tab.id },
    func: (left: number, top: number) => window.scrollTo({ left, top, behavior: 'instant' }),
    args: [x, y],
  })
}

/** A secret that stayed in place was located several times. */
function onceEach(rects: readonly Rect[]): Rect[] {
  return [...new Map(rects.map((rect) => [JSON.stringify(rect), rect])).values()]
}

function isSame(a: Screen, b: Screen): boolean {
  const sizes = ({ view, page }: Screen): Rect[] => [view, { x: 0, y: 0, ...page }]
  const haveMoved = someIsMissing(a.secrets, b.secrets) && someIsMissing(b.secrets, a.secrets)
  return a.url === b.url && !someIsMissing(sizes(a), sizes(b)) && !haveMoved
}

function someIsMissing(rects: readonly Rect[], among: readonly Rect[]): boolean {
  return rects.some((rect) => !among.some((other) => isNear(rect, other)))
}

function isNear(a: Rect, b: Rect): boolean {
  return (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(a[side] - b[side]) <= MOVED_PX)
}

function assertGranted(text: string, context: ToolContext): void {
  const url = grantedInFront(text, context)
  if (context.isCleanOnly(url)) throw new ToolFailure('shows_logins', 'You allowed this site without your logins.')
}

function notTaken(reason: unknown): never {
  console.info('Penny: the browser took no picture', reason)
  throw new ToolFailure('load_failed', 'The browser does not let Penny take a picture of this page.')
}

function isScreenshotPage(value: unknown): value is ScreenshotPageArguments {
  if (typeof value !== 'object' || value === null || !('area' in value)) return false
  const hasSelector = 'selector' in value && typeof value.selector === 'string'
  return value.area === 'visible' || value.area === 'full' || (value.area === 'element' && hasSelector)
}
