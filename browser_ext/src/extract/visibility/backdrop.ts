// What lies behind the text of an element, and whether the text stands out from it.
import type { Box } from './box'
import { contrast, filteredColour, over, parseColour, type Colour } from './colour'
import type { PageBoxes } from './page_boxes'

interface Ground {
  background: Colour
  /** What paints the text instead of its colour: a background clipped to the text, and the background behind that. */
  paint: Paint | null
  /** Filters that change colours, and the background outside of them. */
  filter: { functions: string; background: Colour } | null
  /** A picture lies behind: the contrast is unknown. */
  onPicture: boolean
}

interface Paint {
  /** Null for a picture. */
  colours: Colour[] | null
  background: Colour
}

export interface Backdrop {
  readonly ground: Ground
}

/** Most elements hold no text of their own: what lies behind is computed on first use. */
export class OwnBackdrop implements Backdrop {
  #ground: Ground | null = null

  constructor(
    private readonly style: CSSStyleDeclaration,
    private readonly filters: string,
    private readonly outer: Backdrop,
  ) {}

  get ground(): Ground {
    this.#ground ??= groundWithin(this.style, this.filters, this.outer.ground)
    return this.#ground
  }
}

export function backdropOfPage(style: CSSStyleDeclaration, view: Window): Backdrop {
  return { ground: { background: canvas(style, view), paint: null, filter: null, onPicture: false } }
}

/** Of a frame, its own page shows nothing yet. */
export function backdropOfFrame({ ground }: Backdrop): Backdrop {
  return { ground: { ...ground, paint: null } }
}

/** How a text is drawn. */
export interface Drawn {
  style: CSSStyleDeclaration
  opacity: number
  backdrop: Backdrop
  boxes: PageBoxes
}

/** How browsers serialise a missing colour. */
const CLEAR = 'rgba(0, 0, 0, 0)'
export const LEAST_OPACITY = 0.1
const LEAST_CONTRAST = 1.25

export function isDistinct({ style, opacity, backdrop, boxes }: Drawn, box: Box): boolean {
  const { background, paint, filter, onPicture } = backdrop.ground
  const textColour = parseColour(style.getPropertyValue('-webkit-text-fill-color') || style.color)
  if (!textColour) return true
  if (paint && textColour.alpha < 1) return isPainted(paint)
  const colour = filter && filter.background === background ? filteredColour(textColour, filter.functions) : textColour
  if (colour.alpha * opacity < LEAST_OPACITY) return false
  const ink = colour.alpha === 1 ? colour : over(colour, background)
  if (onPicture || contrast(ink, background) >= LEAST_CONTRAST) return true
  return boxes.hasPictureAt(box) // white text often lies on a picture that is not one of its ancestors
}

function isPainted({ colours, background }: Paint): boolean {
  return !colours || colours.some((colour) => contrast(over(colour, background), background) >= LEAST_CONTRAST)
}

function groundWithin(style: CSSStyleDeclaration, filters: string, outer: Ground): Ground {
  const { backgroundImage, backgroundColor } = style
  const hasPicture = backgroundImage !== '' && backgroundImage !== 'none'
  const filter = filters === 'none' ? outer.filter : filterWithin(filters, outer)
  if (backgroundColor === CLEAR && !hasPicture) return filter === outer.filter ? outer : { ...outer, filter }
  if (isClippedToText(style))
    return { ...outer, filter, paint: paintOf(`${backgroundColor} ${backgroundImage}`, outer) }
  const colour = parseColour(backgroundColor)
  if (!colour) return { ...outer, filter, onPicture: true }
  const isOpaque = colour.alpha > 0.9
  const background = colour.alpha > 0 ? over(colour, outer.background) : outer.background
  return { background, filter, onPicture: hasPicture || (outer.onPicture && !isOpaque), paint: outer.paint }
}

function paintOf(paintOrder: string, outer: Ground): Paint {
  const colours = paintOrder.match(/[a-z]+\([^()]*\)|transparent/g) ?? []
  return {
    colours: /url\(/.test(paintOrder) ? null : colours.flatMap((text) => parseColour(text) ?? []),
    background: outer.background,
  }
}

function isClippedToText(style: CSSStyleDeclaration): boolean {
  return /text/.test(style.getPropertyValue('background-clip') || style.getPropertyValue('-webkit-background-clip'))
}

function filterWithin(filters: string, outer: Ground): Ground['filter'] {
  if (!/brightness|contrast|invert/.test(filters)) return outer.filter
  return { functions: `${filters} ${outer.filter?.functions ?? ''}`, background: outer.background }
}

function canvas(style: CSSStyleDeclaration, view: Window): Colour {
  const scheme = style.getPropertyValue('color-scheme')
  const isDark =
    /dark/.test(scheme) && (!/light/.test(scheme) || view.matchMedia('(prefers-color-scheme: dark)').matches)
  return isDark ? { red: 28, green: 27, blue: 34, alpha: 1 } : { red: 255, green: 255, blue: 255, alpha: 1 }
}
