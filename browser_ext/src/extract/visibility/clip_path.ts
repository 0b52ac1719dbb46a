// The box around the shape of a clip-path, in the coordinates of the element's own box.
import { EVERYWHERE, type Box } from './box'

type Shape = (numbers: string[], box: Box) => Box | null

const NOTHING: Box = { left: 0, top: 0, right: 0, bottom: 0 }
const SHAPES: Record<string, Shape> = { inset, rect, xywh, circle, ellipse, polygon, path }

/** Everywhere for what cannot be computed: a reference, a calculation, a keyword. */
export function clipPathBox(clipPath: string, box: Box): Box {
  const [, name = '', inside = ''] = /^([a-z]+)\((.*)\)(?: [a-z-]+)?$/.exec(clipPath) ?? []
  return SHAPES[name]?.(inside.split(/[\s,]+/), box) ?? EVERYWHERE
}

function inset(parts: string[], box: Box): Box | null {
  const sides = upTo(parts, 'round')
  const [top = '0', right = top, bottom = top, left = right] = sides
  return boxBetween(box, [left, top], [right, bottom])
}

function boxBetween(box: Box, start: [string, string], end: [string, string]): Box | null {
  const [left, top] = [length(start[0], width(box)), length(start[1], height(box))]
  const [right, bottom] = [length(end[0], width(box)), length(end[1], height(box))]
  if ([left, top, right, bottom].some(Number.isNaN)) return null
  return { left: box.left + left, top: box.top + top, right: box.right - right, bottom: box.bottom - bottom }
}

function rect(parts: string[], box: Box): Box | null {
  const [top = '', right = '', bottom = '', left = ''] = upTo(parts, 'round')
  return boxAround(box, [point([left, top], box), point([right, bottom], box)])
}

function xywh(parts: string[], box: Box): Box | null {
  const [x = '', y = '', wide = '', high = ''] = upTo(parts, 'round')
  const start = point([x, y], box)
  const size = point([wide, high], box)
  return boxAround(box, [start, { x: start.x + size.x, y: start.y + size.y }])
}

function circle(parts: string[], box: Box): Box | null {
  const [radius = ''] = upTo(parts, 'at')
  return ellipse([radius, radius, ...parts.slice(upTo(parts, 'at').length)], box)
}

function ellipse(parts: string[], box: Box): Box | null {
  const [wide = '', high = wide] = upTo(parts, 'at')
  const [x = '50%', y = '50%'] = parts.includes('at') ? parts.slice(parts.indexOf('at') + 1) : []
  const [centre, radius] = [point([x, y], box), point([wide, high], box)]
  const start = { x: centre.x - radius.x, y: centre.y - radius.y }
  return boxAround(box, [start, { x: centre.x + radius.x, y: centre.y + radius.y }])
}

function polygon(parts: string[], box: Box): Box | null {
  const numbers = parts.filter((part) => !/^(nonzero|evenodd)$/.test(part))
  const points = Array.from({ length: numbers.length >> 1 }, (_, n) =>
    point([numbers[2 * n] ?? '', numbers[2 * n + 1] ?? ''], box),
  )
  return area(points) < 1 ? NOTHING : boxAround(box, points)
}

/** Of a path only whether it has any extent. */
function path(parts: string[]): Box | null {
  const numbers =
    parts
      .join(' ')
      .match(/-?[\d.]+/g)
      ?.map(Number) ?? []
  return Math.max(...numbers, 0) - Math.min(...numbers, 0) < 2 ? NOTHING : null
}

interface Point {
  x: number
  y: number
}

function point([x, y]: [string, string], box: Box): Point {
  return { x: length(x, width(box)), y: length(y, height(box)) }
}

function boxAround(box: Box, points: Point[]): Box | null {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  if ([...xs, ...ys].some(Number.isNaN)) return null
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  return { left: box.left + left, top: box.top + top, right: box.left + right, bottom: box.top + bottom }
}

function area(points: Point[]): number {
  const parts = points.map(({ x, y }, n) => {
    const next = points[(n + 1) % points.length] ?? { x, y }
    return x * next.y - next.x * y
  })
  return Math.abs(parts.reduce((sum, part) => sum + part, 0)) / 2
}

function upTo(parts: string[], word: string): string[] {
  return parts.includes(word) ? parts.slice(0, parts.indexOf(word)) : parts
}

/** Computed lengths are pixels or percentages. Anything else becomes NaN. */
function length(text: string, whole: number): number {
  const [, number, unit] = /^(-?[\d.]+)(px|%)?$/.exec(text) ?? []
  return unit === '%' ? (Number(number) / 100) * whole : Number(number ?? NaN)
}

function width(box: Box): number {
  return box.right - box.left
}

function height(box: Box): number {
  return box.bottom - box.top
}
