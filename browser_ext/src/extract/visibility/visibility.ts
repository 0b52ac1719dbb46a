// What a reader of the live page can see. Pages hide text from people in many ways, while extractors still find it.
// This decides by computed style and layout.
import { backdropOfFrame, backdropOfPage, isDistinct, LEAST_OPACITY, OwnBackdrop, type Drawn } from './backdrop'
import { EVERYWHERE, isTiny, overlap, type Box } from './box'
import { clipsWithin, hidesOverflow, REACH, type Clips } from './clips'
import { parseColour } from './colour'
import { PageBoxes } from './page_boxes'

/** What an element passes on to its children. */
export interface Visibility extends Clips, Drawn {
  /** Of the style, where reading a property is slow. */
  display: string
  position: string
  /** The element is in a collapsed part whose own `visibility` is this. A collapsed part has no layout yet. */
  hiddenBy: { visibility: string } | null
}

const LEAST_FONT_PX = 2
const LEAST_SIGN_PX = 8
/** In text heights: stronger blur makes text unreadable. */
const MOST_BLUR = 0.5
/** Text this far left or above is hidden on purpose. */
const FAR_OUT_PX = 500
const NOWHERE: Box = { left: 0, top: 0, right: 0, bottom: 0 }
const NEVER_SEEN = new Set(
  (
    'script style template head meta link title noframes object embed applet canvas audio video svg map textarea select ' +
    'option datalist progress meter'
  ).split(' '),
)

/** `isAtOnce`: the page does nothing until the look at it is over. */
export function visibilityOfPage(view: Window, isAtOnce = false): Visibility {
  const style = view.getComputedStyle(view.document.documentElement)
  return {
    style,
    display: 'block',
    position: 'static',
    opacity: 1,
    clip: REACH,
    positionedClip: REACH,
    backdrop: backdropOfPage(style, view),
    boxes: new PageBoxes(view, isAtOnce),
    hiddenBy: null,
  }
}

/** Return the visibility within a frame: at most that of the frame element. */
export function visibilityInFrame(frame: Element, outer: Visibility, view: Window): Visibility | null {
  const visibility = visibilityWithin(frame, outer, frame.ownerDocument.defaultView ?? view)
  if (
    !visibility ||
    visibility.style.visibility !== 'visible' ||
    isTiny(overlap(outer.boxes.of(frame), visibility.clip))
  )
    return null
  // its border may be larger
  if (isTiny({ left: 0, top: 0, right: view.innerWidth, bottom: view.innerHeight })) return null
  const { opacity, backdrop } = visibility
  return { ...visibilityOfPage(view), opacity, backdrop: backdropOfFrame(backdrop) }
}

/** Return the visibility within the element, or null if nothing in it is visible. */
export function visibilityWithin(element: Element, outer: Visibility, view: Window): Visibility | null {
  if (outer.hiddenBy) return visibilityOfDeclared(element, outer, view)
  return isDeclaredHidden(element) ? null : visibilityOfBox(element, outer, view)
}

/** The visibility for people alone: they also see, and press, what a page hides from their software. */
export function visibilityForEyes(element: Element, outer: Visibility, view: Window): Visibility | null {
  return element.hasAttribute('hidden') ? null : visibilityOfBox(element, outer, view)
}

function visibilityOfBox(element: Element, outer: Visibility, view: Window): Visibility | null {
  if (isSilent(element.localName, view)) return null
  const style = view.getComputedStyle(element)
  // Runs for each element of a page. Reading a property is the slowest part: each is read once, and only if needed. A
  // call costs as well: `none` needs none.
  const { display, position, filter } = style
  if (isUnrendered(element, display)) return null
  const opacity = outer.opacity * (filter === 'none' ? Number(style.opacity || 1) : opacityOf(style, filter))
  if (opacity < LEAST_OPACITY || (position !== 'static' && isCutAway(style, position))) return null
  const mask = style.getPropertyValue('mask-image')
  if ((mask !== 'none' && isMaskedAway(mask)) || (filter !== 'none' && isBlurred(style, filter))) return null
  const transform = display === 'inline' ? 'none' : style.transform // lines of text are not transformed
  if (transform !== 'none' && isEdgeOn(style, transform)) return null
  const { boxes } = outer
  const { clip, positionedClip } = clipsWithin(element, { style, display, position, transform }, outer, boxes)
  if (isTiny(clip) && isTiny(positionedClip)) return null
  const backdrop = new OwnBackdrop(style, filter, outer.backdrop)
  // for each element of a page: spreading objects takes longer
  return { style, display, position, opacity, clip, positionedClip, backdrop, boxes, hiddenBy: null }
}

/** Return the visibility within a collapsed part as if it were opened. */
export function visibilityOfClosed(element: Element, outer: Visibility, view: Window): Visibility | null {
  if (isSilent(element.localName, view)) return null
  const style = view.getComputedStyle(element)
  const { display, position, visibility } = style
  const backdrop = new OwnBackdrop(style, style.filter, outer.backdrop)
  const open = { clip: EVERYWHERE, positionedClip: EVERYWHERE, hiddenBy: { visibility } }
  return { ...outer, style, display, position, backdrop, ...open }
}

/** Without layout, only declared styles can be judged. */
function visibilityOfDeclared(element: Element, outer: Visibility, view: Window): Visibility | null {
  if (isSilent(element.localName, view) || isDeclaredHidden(element)) return null
  const style = view.getComputedStyle(element)
  const { display, position, filter } = style
  const opacity = outer.opacity * opacityOf(style, filter)
  if (
    display === 'none' ||
    opacity < LEAST_OPACITY ||
    isCutAway(style, position) ||
    isMaskedAway(style.getPropertyValue('mask-image')) ||
    isBlurred(style, filter)
  )
    return null
  if (isEdgeOn(style, style.transform) || isFarOut(style, position) || isShrunk(element, style, display)) return null
  return { ...outer, style, display, position, opacity, backdrop: new OwnBackdrop(style, filter, outer.backdrop) }
}

function isFarOut({ left, top, textIndent }: CSSStyleDeclaration, position: string): boolean {
  const offsets = position === 'absolute' || position === 'fixed' ? [left, top, textIndent] : [textIndent]
  return offsets.some((offset) => Number.parseFloat(offset) < -FAR_OUT_PX)
}

function isShrunk(element: Element, style: CSSStyleDeclaration, display: string): boolean {
  return (
    hidesOverflow(element, style, display) &&
    [style.width, style.height, style.maxWidth, style.maxHeight].some((size) => Number.parseFloat(size) < 2)
  )
}

/** Whether a text directly in this element is large enough, distinct, and within reach. */
export function isTextSeen(text: Text, visibility: Visibility): boolean {
  const { style, hiddenBy } = visibility
  const zoom = text.parentElement?.currentCSSZoom ?? 1
  if (
    (style.visibility !== 'visible' && style.visibility !== hiddenBy?.visibility) ||
    Number.parseFloat(style.fontSize) * zoom < LEAST_FONT_PX
  )
    return false
  if (style.getPropertyValue('content-visibility') === 'hidden') return false // of its elements the browser says so itself
  if (hiddenBy) return isDistinct(visibility, NOWHERE)
  const box = visibility.boxes.ofText(text)
  return !isTiny(overlap(box, visibility.clip)) && isDistinct(visibility, box)
}

/** Whether a picture is large enough, and within reach. */
export function isPictureSeen(picture: Element, { style, clip, boxes }: Visibility): boolean {
  const { left, top, right, bottom } = overlap(boxes.of(picture), clip)
  return style.visibility === 'visible' && Math.min(right - left, bottom - top) >= LEAST_SIGN_PX
}

/** Whether something to press has an area that scrolling can reach. */
export function isBoxSeen(element: Element, { clip, boxes }: Visibility): boolean {
  return !isTiny(overlap(boxes.of(element), clip))
}

/** NOSCRIPT is visible only where the browser runs no scripts. */
function isSilent(name: string, view: Window): boolean {
  return NEVER_SEEN.has(name) || (name === 'noscript' && !view.matchMedia?.('(scripting: none)').matches)
}

/** Without a box, or skipped by the browser: closed <details>, content-visibility. */
function isUnrendered(element: Element, display: string): boolean {
  return display === 'none' || (display !== 'contents' && !element.checkVisibility())
}

function isDeclaredHidden(element: Element): boolean {
  return element.hasAttribute('hidden') || element.getAttribute('aria-hidden') === 'true'
}

function opacityOf(style: CSSStyleDeclaration, filters: string): number {
  const match = filters === 'none' ? null : /opacity\(([\d.]+)(%?)\)/.exec(filters)
  const filter = match ? Number(match[1]) / (match[2] ? 100 : 1) : 1
  return Number(style.opacity || 1) * filter
}

/** The deprecated property `clip` hides an element without changing its box. */
function isCutAway(style: CSSStyleDeclaration, position: string): boolean {
  if (position !== 'absolute' && position !== 'fixed') return false
  // oxlint-disable-next-line typescript/no-deprecated -- pages still hide with it, and only this says so
  const { clip } = style
  const sides = /rect\(([^)]*)\)/
    .exec(clip)?.[1]
    ?.split(/[\s,]+/)
    .map(Number.parseFloat)
  if (!sides) return false
  const [top = 0, right = 0, bottom = 0, left = 0] = sides
  return right - left < 2 || bottom - top < 2
}

/** A mask whose every colour is transparent. Other masks fade an edge, or cannot be judged from here. */
function isMaskedAway(mask: string): boolean {
  const colours = mask === 'none' ? [] : (mask.match(/(rgba?|color)\([^)]*\)|transparent/g) ?? [])
  return colours.length > 0 && colours.every((colour) => parseColour(colour)?.alpha === 0)
}

function isBlurred(style: CSSStyleDeclaration, filters: string): boolean {
  if (filters === 'none') return false
  const blur = Number(/blur\(([\d.]+)px\)/.exec(filters)?.[1] ?? 0)
  return blur > MOST_BLUR * Number.parseFloat(style.fontSize)
}

/** Scaled to nothing, or rotated edge-on or away: the transformed area is zero. */
function isEdgeOn(style: CSSStyleDeclaration, transform: string): boolean {
  if (transform === 'none') return false
  const [, is3d, inside = ''] = /^matrix(3d)?\(([^)]*)\)$/.exec(transform) ?? []
  const cells = inside.split(',').map(Number)
  if (cells.length < 6) return false
  if (is3d && style.backfaceVisibility === 'hidden' && (cells[10] ?? 1) < 0) return true
  const [a = 1, b = 0] = cells
  const [c = 0, d = 1] = is3d ? cells.slice(4) : cells.slice(2)
  return Math.abs(a * d - b * c) < 0.001
}
