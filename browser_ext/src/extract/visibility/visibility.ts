// What a reader of the live page can see. Pages hide text from people in many ways, while extractors still find it.
// This decides by computed style and layout.
import { EVERYWHERE, isTiny, overlap, type Box } from './box'
import { clipPathBox } from './clip_path'
import { contrast, filteredColour, over, parseColour, type Colour } from './colour'

/** What an element passes on to its children. */
export interface Visibility {
  style: CSSStyleDeclaration
  opacity: number
  /** The visible area after overflow: for content in the flow, and for content positioned against an ancestor. */
  clip: Box
  positionedClip: Box
  background: Colour
  /** What paints the text instead of its colour: a background clipped to the text, and the background behind that. */
  paint: Paint | null
  /** Filters that change colours, and the background outside of them. */
  filter: { functions: string; background: Colour } | null
  /** A picture lies behind: the contrast is unknown. */
  onPicture: boolean
  /** The pictures of the page that text could lie on, computed on first use. */
  pictures: () => Box[]
  /** The element is in a collapsed part whose own `visibility` is this. A collapsed part has no layout yet. */
  hiddenBy: { visibility: string } | null
}

/** The styles that decide where an element lies. */
interface Layout {
  style: CSSStyleDeclaration
  display: string
  position: string
  transform: string
}

interface Paint {
  /** Null for a picture. */
  colours: Colour[] | null
  background: Colour
}

/** How browsers serialise a missing colour. */
const CLEAR = 'rgba(0, 0, 0, 0)'
const LEAST_OPACITY = 0.1
const LEAST_FONT_PX = 2
const LEAST_CONTRAST = 1.25
const LEAST_PICTURE_PX = 40
const LEAST_SIGN_PX = 8
/** In text heights: stronger blur makes text unreadable. */
const MOST_BLUR = 0.5
/** Nobody scrolls this far to the side. */
const FAR_RIGHT_PX = 10_000
/** Text this far left or above is hidden on purpose. */
const FAR_OUT_PX = 500
const REACH: Box = { ...EVERYWHERE, left: 0, top: 0, right: FAR_RIGHT_PX }
const NOWHERE: Box = { left: 0, top: 0, right: 0, bottom: 0 }
const NEVER_SEEN = new Set(
  'SCRIPT STYLE TEMPLATE HEAD META LINK TITLE NOFRAMES OBJECT EMBED APPLET CANVAS AUDIO VIDEO SVG MAP TEXTAREA SELECT OPTION DATALIST PROGRESS METER'.split(
    ' ',
  ),
)

export function visibilityOfPage(view: Window): Visibility {
  const style = view.getComputedStyle(view.document.documentElement)
  const pictures = once(() => picturesOf(view.document))
  const open = { clip: EVERYWHERE, positionedClip: EVERYWHERE }
  return {
    style,
    opacity: 1,
    ...open,
    paint: null,
    filter: null,
    background: canvas(style, view),
    onPicture: false,
    pictures,
    hiddenBy: null,
  }
}

/** Return the visibility within a frame: at most that of the frame element. */
export function visibilityInFrame(frame: Element, outer: Visibility, view: Window): Visibility | null {
  const visibility = visibilityWithin(frame, outer, frame.ownerDocument.defaultView ?? view)
  if (!visibility || visibility.style.visibility !== 'visible' || isTiny(overlap(pageBox(frame), visibility.clip)))
    return null
  // its border may be larger
  if (isTiny({ left: 0, top: 0, right: view.innerWidth, bottom: view.innerHeight })) return null
  const { opacity, filter, background, onPicture } = visibility
  return { ...visibilityOfPage(view), opacity, filter, background, onPicture }
}

/** Return the visibility within the element, or null if nothing in it is visible. */
export function visibilityWithin(element: Element, outer: Visibility, view: Window): Visibility | null {
  if (outer.hiddenBy) return visibilityOfDeclared(element, outer, view)
  if (isSilent(element.tagName.toUpperCase(), view) || isDeclaredHidden(element)) return null
  const style = view.getComputedStyle(element)
  // reading a property is the slowest part: each is read once, and only if needed
  const { display, position, filter } = style
  if (isUnrendered(element, display)) return null
  const opacity = outer.opacity * opacityOf(style, filter)
  if (opacity < LEAST_OPACITY || isCutAway(style, position) || isMaskedAway(style) || isBlurred(style, filter))
    return null
  const transform = display === 'inline' ? 'none' : style.transform // lines of text are not transformed
  if (isEdgeOn(style, transform)) return null
  const clips = clipsWithin(element, { style, display, position, transform }, outer)
  if (isTiny(clips.clip) && isTiny(clips.positionedClip)) return null
  return {
    style,
    opacity,
    ...clips,
    filter: filterOf(filter, outer),
    ...backdrop(style, outer),
    pictures: outer.pictures,
    hiddenBy: null,
  }
}

/** Return the visibility within a collapsed part as if it were opened. */
export function visibilityOfClosed(element: Element, outer: Visibility, view: Window): Visibility | null {
  if (isSilent(element.tagName.toUpperCase(), view)) return null
  const style = view.getComputedStyle(element)
  const open = { clip: EVERYWHERE, positionedClip: EVERYWHERE, hiddenBy: { visibility: style.visibility } }
  return { ...outer, style, ...backdrop(style, outer), filter: filterOf(style.filter, outer), ...open }
}

/** Without layout, only declared styles can be judged. */
function visibilityOfDeclared(element: Element, outer: Visibility, view: Window): Visibility | null {
  if (isSilent(element.tagName.toUpperCase(), view) || isDeclaredHidden(element)) return null
  const style = view.getComputedStyle(element)
  const { display, position, filter } = style
  const opacity = outer.opacity * opacityOf(style, filter)
  if (
    display === 'none' ||
    opacity < LEAST_OPACITY ||
    isCutAway(style, position) ||
    isMaskedAway(style) ||
    isBlurred(style, filter)
  )
    return null
  if (isEdgeOn(style, style.transform) || isFarOut(style, position) || isShrunk(element, style, display)) return null
  return { ...outer, style, opacity, filter: filterOf(filter, outer), ...backdrop(style, outer) }
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
export function isTextSeen(text: Text, visibility: Visibility, view: Window): boolean {
  const { style, hiddenBy } = visibility
  const zoom = text.parentElement?.currentCSSZoom ?? 1
  if (
    (style.visibility !== 'visible' && style.visibility !== hiddenBy?.visibility) ||
    Number.parseFloat(style.fontSize) * zoom < LEAST_FONT_PX
  )
    return false
  if (style.getPropertyValue('content-visibility') === 'hidden') return false // of its elements the browser says so itself
  if (hiddenBy) return isDistinct(visibility, NOWHERE)
  const box = reach(text, view)
  return !isTiny(overlap(box, visibility.clip)) && isDistinct(visibility, box)
}

/** Whether a picture is large enough, and within reach. */
export function isPictureSeen(picture: Element, { style, clip }: Visibility): boolean {
  const { left, top, right, bottom } = overlap(overlap(pageBox(picture), clip), REACH)
  return style.visibility === 'visible' && Math.min(right - left, bottom - top) >= LEAST_SIGN_PX
}

/** NOSCRIPT is visible only where the browser runs no scripts. */
function isSilent(name: string, view: Window): boolean {
  return NEVER_SEEN.has(name) || (name === 'NOSCRIPT' && !view.matchMedia?.('(scripting: none)').matches)
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
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- pages still hide with it, and only this says so
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
function isMaskedAway(style: CSSStyleDeclaration): boolean {
  const mask = style.getPropertyValue('mask-image')
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

function clipsWithin(
  element: Element,
  { style, display, position, transform }: Layout,
  outer: Visibility,
): Pick<Visibility, 'clip' | 'positionedClip'> {
  const outerClip = inheritedClip(position, outer)
  const clip = hidesOverflow(element, style, display) ? overlap(outerClip, pageBox(element)) : outerClip
  const isAnchor = position !== 'static' || transform !== 'none'
  const { clipPath } = style
  const positionedClip = isAnchor ? clip : outer.positionedClip
  if (!clipPath || clipPath === 'none') return { clip, positionedClip }
  const shape = clipPathBox(clipPath, pageBox(element)) // cuts all children, wherever they are positioned
  return { clip: overlap(clip, shape), positionedClip: overlap(positionedClip, shape) }
}

function inheritedClip(position: string, outer: Visibility): Box {
  if (position === 'fixed') return EVERYWHERE
  return position === 'absolute' ? outer.positionedClip : outer.clip
}

/**
 * Scrollable content can be reached. html and body pass their overflow to the window, which scrolls again once a dialog
 * is closed.
 */
function hidesOverflow(element: Element, style: CSSStyleDeclaration, display: string): boolean {
  if (display === 'inline' || display === 'contents') return false
  const { overflow } = style
  if (overflow === 'visible' || !/hidden|clip/.test(overflow)) return false
  return element !== element.ownerDocument.documentElement && element !== element.ownerDocument.body
}

function backdrop(
  style: CSSStyleDeclaration,
  outer: Visibility,
): Pick<Visibility, 'background' | 'onPicture' | 'paint'> {
  const { backgroundImage, backgroundColor } = style
  const { background: behind, onPicture, paint } = outer
  const hasPicture = backgroundImage !== '' && backgroundImage !== 'none'
  if (backgroundColor === CLEAR && !hasPicture) return { background: behind, onPicture, paint }
  if (isClippedToText(style))
    return { background: behind, onPicture, paint: paintOf(`${backgroundColor} ${backgroundImage}`, outer) }
  const colour = parseColour(backgroundColor)
  if (!colour) return { background: behind, onPicture: true, paint }
  const isOpaque = colour.alpha > 0.9
  const background = colour.alpha > 0 ? over(colour, behind) : behind
  return { background, onPicture: hasPicture || (onPicture && !isOpaque), paint }
}

function paintOf(paintOrder: string, outer: Visibility): Paint {
  const colours = paintOrder.match(/[a-z]+\([^()]*\)|transparent/g) ?? []
  return {
    colours: /url\(/.test(paintOrder) ? null : colours.flatMap((text) => parseColour(text) ?? []),
    background: outer.background,
  }
}

function isClippedToText(style: CSSStyleDeclaration): boolean {
  return /text/.test(style.getPropertyValue('background-clip') || style.getPropertyValue('-webkit-background-clip'))
}

function filterOf(filters: string, outer: Visibility): Visibility['filter'] {
  if (filters === 'none' || !/brightness|contrast|invert/.test(filters)) return outer.filter
  return { functions: `${filters} ${outer.filter?.functions ?? ''}`, background: outer.background }
}

function isDistinct(visibility: Visibility, box: Box): boolean {
  const { style, paint, filter } = visibility
  const textColour = parseColour(style.getPropertyValue('-webkit-text-fill-color') || style.color)
  if (!textColour) return true
  if (paint && textColour.alpha < 1) return isPainted(paint)
  const colour =
    filter && filter.background === visibility.background ? filteredColour(textColour, filter.functions) : textColour
  if (colour.alpha * visibility.opacity < LEAST_OPACITY) return false
  if (visibility.onPicture || contrast(over(colour, visibility.background), visibility.background) >= LEAST_CONTRAST)
    return true
  return liesOnPicture(box, visibility)
}

function isPainted({ colours, background }: Paint): boolean {
  return !colours || colours.some((colour) => contrast(over(colour, background), background) >= LEAST_CONTRAST)
}

/** White text often lies on a picture that is not one of its ancestors. */
function liesOnPicture(box: Box, { pictures }: Visibility): boolean {
  return pictures().some((picture) => !isTiny(overlap(picture, box)))
}

function once<Value>(look: () => Value): () => Value {
  let value: Value | undefined
  return () => (value ??= look())
}

function picturesOf(page: Document): Box[] {
  const pictures = [...page.querySelectorAll('img, video, canvas, picture, svg')].map(pageBox)
  return pictures.filter((box) => box.right - box.left > LEAST_PICTURE_PX && box.bottom - box.top > LEAST_PICTURE_PX)
}

function canvas(style: CSSStyleDeclaration, view: Window): Colour {
  const scheme = style.getPropertyValue('color-scheme')
  const isDark =
    /dark/.test(scheme) && (!/light/.test(scheme) || view.matchMedia('(prefers-color-scheme: dark)').matches)
  return isDark ? { red: 28, green: 27, blue: 34, alpha: 1 } : { red: 255, green: 255, blue: 255, alpha: 1 }
}

/** The part of the text that scrolling can reach. Nothing left of or above the page can be reached. */
function reach(text: Text, view: Window): Box {
  const range = rangeOf(view.document)
  range.selectNodeContents(text)
  return overlap(boxOnPage(range.getBoundingClientRect(), view), REACH)
}

/** One range for each page: browsers keep every range up to date. */
const ranges = new WeakMap<Document, Range>()

function rangeOf(page: Document): Range {
  const range = ranges.get(page) ?? page.createRange()
  ranges.set(page, range)
  return range
}

function pageBox(element: Element): Box {
  return boxOnPage(element.getBoundingClientRect(), element.ownerDocument.defaultView)
}

function boxOnPage(rect: DOMRect, view: Window | null): Box {
  const { scrollX = 0, scrollY = 0 } = view ?? {}
  return {
    left: rect.left + scrollX,
    top: rect.top + scrollY,
    right: rect.right + scrollX,
    bottom: rect.bottom + scrollY,
  }
}
