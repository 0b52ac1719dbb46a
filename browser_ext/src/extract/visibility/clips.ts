// Where content can come into sight: what scrolling reaches, and no ancestor cuts off.
import { EVERYWHERE, overlap, type Box } from './box'
import { clipPathBox } from './clip_path'
import type { PageBoxes } from './page_boxes'

/** For content in the flow, and for content positioned against an ancestor. */
export interface Clips {
  clip: Box
  positionedClip: Box
}

/** The styles that decide where an element lies. */
interface Layout {
  style: CSSStyleDeclaration
  display: string
  position: string
  transform: string
}

/** Nobody scrolls this far to the side. */
const FAR_RIGHT_PX = 10_000
/** Nobody reads through a narrower one. */
const LEAST_WINDOW_PX = 8
/** Nothing left of or above the page can be reached. */
export const REACH: Box = { ...EVERYWHERE, left: 0, top: 0, right: FAR_RIGHT_PX }

export function clipsWithin(
  element: Element,
  { style, display, position, transform }: Layout,
  outer: Clips,
  boxes: PageBoxes,
): Clips {
  const outerClip = position === 'static' ? outer.clip : inheritedClip(position, outer)
  const clip = overflowClip(element, style, display, outerClip, boxes)
  const isAnchor = position !== 'static' || transform !== 'none'
  const { clipPath } = style
  const positionedClip = isAnchor ? clip : outer.positionedClip
  if (!clipPath || clipPath === 'none')
    return clip === outer.clip && positionedClip === outer.positionedClip ? outer : { clip, positionedClip }
  const shape = clipPathBox(clipPath, boxes.of(element)) // cuts all children, wherever they are positioned
  return { clip: overlap(clip, shape), positionedClip: overlap(positionedClip, shape) }
}

function inheritedClip(position: string, outer: Clips): Box {
  if (position === 'fixed') return REACH
  return position === 'absolute' ? outer.positionedClip : outer.clip
}

export function hidesOverflow(element: Element, style: CSSStyleDeclaration, display: string): boolean {
  return /hidden|clip/.test(ownOverflow(element, style, display))
}

/** html and body pass their overflow to the window, which scrolls again once a dialog is closed. */
function ownOverflow(element: Element, style: CSSStyleDeclaration, display: string): string {
  if (display === 'inline' || display === 'contents') return 'visible'
  const { overflow } = style
  if (overflow === 'visible') return overflow
  const { documentElement, body } = element.ownerDocument
  return element === documentElement || element === body ? 'visible' : overflow
}

/** What overflows is cut away, or scrolls into the window that the element is. */
function overflowClip(
  element: Element,
  style: CSSStyleDeclaration,
  display: string,
  outerClip: Box,
  boxes: PageBoxes,
): Box {
  const overflow = ownOverflow(element, style, display)
  if (overflow === 'visible' || !/hidden|clip|auto|scroll/.test(overflow)) return outerClip
  const box = boxes.of(element)
  const window = overlap(outerClip, box)
  if (Math.min(window.right - window.left, window.bottom - window.top) < LEAST_WINDOW_PX) return window
  const [x = '', y = x] = overflow.split(' ')
  return { ...window, ...(scrolls(x) && columnOf(element, style, box)), ...(scrolls(y) && rowOf(element, style, box)) }
}

function scrolls(overflow: string): boolean {
  return overflow === 'auto' || overflow === 'scroll'
}

/** From side to side, content begins at the left, or at the right. */
function columnOf({ scrollLeft }: Element, { direction }: CSSStyleDeclaration, box: Box): Pick<Box, 'left' | 'right'> {
  const [left, right] = [box.left - scrollLeft, box.right - scrollLeft]
  return direction === 'rtl' ? { left: right - FAR_RIGHT_PX, right } : { left, right: left + FAR_RIGHT_PX }
}

/** Up and down, content begins at the top. Conversations begin at the bottom. */
function rowOf({ scrollTop }: Element, { flexDirection }: CSSStyleDeclaration, box: Box): Pick<Box, 'top' | 'bottom'> {
  if (flexDirection === 'column-reverse') return { top: -Infinity, bottom: box.bottom - scrollTop }
  return { top: box.top - scrollTop, bottom: Infinity }
}
