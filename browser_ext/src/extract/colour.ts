// Just enough colour to tell whether text stands out from what is behind it. Computed styles give rgb(), or a newer notation.

export interface Colour {
  red: number
  green: number
  blue: number
  alpha: number
}

/** Returns null for notations that are not rgb(): then nothing is concluded. */
export function parseColour(text: string): Colour | null {
  const numbers = /^rgba?\(([^)]*)\)$/.exec(text)?.[1]?.split(/[\s,/]+/).filter(Boolean)
  if (!numbers || numbers.length < 3) return text === 'transparent' ? { red: 0, green: 0, blue: 0, alpha: 0 } : null
  const [red = 0, green = 0, blue = 0] = numbers.map(Number)
  return { red, green, blue, alpha: alphaOf(numbers[3]) }
}

function alphaOf(text: string | undefined): number {
  if (text === undefined) return 1
  return text.endsWith('%') ? Number.parseFloat(text) / 100 : Number(text)
}

export function over(front: Colour, back: Colour): Colour {
  const mix = (a: number, b: number) => a * front.alpha + b * (1 - front.alpha)
  return { red: mix(front.red, back.red), green: mix(front.green, back.green), blue: mix(front.blue, back.blue), alpha: 1 }
}

/** The contrast ratio of WCAG 2: 1 for the same colour, 21 for black on white. */
export function contrast(a: Colour, b: Colour): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

function luminance({ red, green, blue }: Colour): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((part) => linear(part / 255))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function linear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}
