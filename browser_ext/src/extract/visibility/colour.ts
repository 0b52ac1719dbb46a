// Colours in the notations of computed styles, exact enough to judge whether text stands out.

export interface Colour {
  red: number
  green: number
  blue: number
  alpha: number
}

/** A page has few colours, and thousands of elements share each. */
const cache = new Map<string, Colour | null>()

/** Null for what is no colour: then nothing is concluded. */
export function parseColour(text: string): Colour | null {
  const cached = cache.get(text)
  if (cached !== undefined) return cached
  const colour = readColour(text)
  cache.set(text, colour)
  return colour
}

function readColour(text: string): Colour | null {
  if (text === 'transparent') return { red: 0, green: 0, blue: 0, alpha: 0 }
  const [, notation = '', inside = ''] = /^([a-z]+)\(([^)]*)\)$/.exec(text) ?? []
  const parts = inside.split(/[\s,/]+/).filter(Boolean)
  if (notation === 'rgb' || notation === 'rgba') return colourOf(parts, 1)
  if (notation === 'color') return colourOf(parts.slice(1), 255)
  return notation === '' ? null : grey(notation, parts)
}

/** Three parts and perhaps an alpha. Wide colour spaces are treated as sRGB, which is close enough for visibility. */
function colourOf(parts: string[], scale: number): Colour | null {
  const [red = NaN, green = NaN, blue = NaN] = parts.slice(0, 3).map((part) => Number.parseFloat(part) * scale)
  return Number.isNaN(red + green + blue) ? null : { red, green, blue, alpha: alphaOf(parts[3]) }
}

/** Of lab, lch, oklab and oklch only the lightness counts: the result is a grey of that lightness. */
function grey(notation: string, parts: string[]): Colour | null {
  const lightness = Number.parseFloat(parts[0] ?? '')
  if (Number.isNaN(lightness) || !/lab|lch/.test(notation)) return null
  const share = notation.startsWith('ok') && !parts[0]?.endsWith('%') ? lightness : lightness / 100
  const light = notation.startsWith('ok') ? share ** 3 : lightOfLab(lightness)
  const level = 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055)
  return { red: level, green: level, blue: level, alpha: alphaOf(parts[3]) }
}

function lightOfLab(lightness: number): number {
  return lightness > 8 ? ((lightness + 16) / 116) ** 3 : lightness / 903.3
}

function alphaOf(text: string | undefined): number {
  if (text === undefined) return 1
  return text.endsWith('%') ? Number.parseFloat(text) / 100 : Number(text)
}

export function over(front: Colour, back: Colour): Colour {
  const mix = (a: number, b: number) => a * front.alpha + b * (1 - front.alpha)
  return {
    red: mix(front.red, back.red),
    green: mix(front.green, back.green),
    blue: mix(front.blue, back.blue),
    alpha: 1,
  }
}

const CHANGES: Record<string, (part: number, amount: number) => number> = {
  brightness: (part, amount) => part * amount,
  contrast: (part, amount) => (part - 127.5) * amount + 127.5,
  invert: (part, amount) => part * (1 - amount) + (255 - part) * amount,
}

/** Apply those CSS filters that can turn a colour into the page's own. */
export function filteredColour(colour: Colour, functions: string): Colour {
  const filters = [...functions.matchAll(/(brightness|contrast|invert)\(([\d.]+)(%?)\)/g)]
  return filters.reduce((colour, [, name = '', number, percent]) => {
    const amount = Number(number) / (percent ? 100 : 1)
    const channel = (part: number) => Math.min(255, Math.max(0, CHANGES[name]?.(part, amount) ?? part))
    return { red: channel(colour.red), green: channel(colour.green), blue: channel(colour.blue), alpha: colour.alpha }
  }, colour)
}

/** The contrast ratio of WCAG 2: 1 for the same colour, 21 for black on white. */
export function contrast(a: Colour, b: Colour): number {
  const one = luminance(a)
  const other = luminance(b)
  return one > other ? (one + 0.05) / (other + 0.05) : (other + 0.05) / (one + 0.05)
}

/** Most texts of a page have one colour, on one background. */
const luminances = new WeakMap<Colour, number>()

function luminance(colour: Colour): number {
  const computed = luminances.get(colour)
  if (computed !== undefined) return computed
  const { red, green, blue } = colour
  const value = 0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255)
  luminances.set(colour, value)
  return value
}

function linear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}
