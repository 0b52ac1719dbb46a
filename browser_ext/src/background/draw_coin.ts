import { COLOURS, SHAPE, type Coin } from '../state/coin'

const UNITS = 64
const CENTRE = UNITS / 2

/** The coins drawn so far: at most 16 looks in each size. */
const coins = new Map<string, ImageData>()

/** Draw the coin for the toolbar: browsers take no SVG there. */
export function drawCoin(coin: Coin, size: number): ImageData {
  const look = [size, coin.mayRead, coin.isWorking, coin.questions > 0, coin.isOffRecord].join(' ')
  const image = coins.get(look) ?? draw(coin, size)
  coins.set(look, image)
  return image
}

function draw(coin: Coin, size: number): ImageData {
  // Chromium would draw on the graphics card otherwise, and wait for it: up to 0.3 s for one coin.
  const context = new OffscreenCanvas(size, size).getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('no canvas')
  context.scale(size / UNITS, size / UNITS)
  context.lineCap = context.lineJoin = 'round'
  const colour = coin.mayRead ? COLOURS.patina : COLOURS.copper
  if (coin.isWorking) drawRim(context, colour)
  drawFace(context, colour, coin.isWorking ? SHAPE.small : SHAPE.radius, coin.questions > 0)
  if (coin.isOffRecord) drawStrike(context, colour)
  return context.getImageData(0, 0, size, size)
}

type Context = OffscreenCanvasRenderingContext2D

function drawRim(context: Context, colour: string): void {
  const { radius, width, dash } = SHAPE.rim
  context.save()
  context.lineCap = 'butt'
  context.setLineDash(dash)
  stroke(context, circle(radius), colour, width)
  context.restore()
}

function drawFace(context: Context, colour: string, radius: number, isHalf: boolean): void {
  const letter = new Path2D(SHAPE.letter)
  context.save()
  if (isHalf) {
    stroke(context, circle(radius - 2.5), colour, 5)
    stroke(context, letter, colour, SHAPE.letterWidth)
    context.beginPath()
    context.rect(0, 0, CENTRE, UNITS)
    context.clip()
  }
  context.fillStyle = colour
  context.fill(circle(radius))
  if (!isHalf && radius === SHAPE.radius) stroke(context, circle(SHAPE.ring.radius), COLOURS.light, SHAPE.ring.width)
  stroke(context, letter, COLOURS.light, SHAPE.letterWidth)
  context.restore()
}

function drawStrike(context: Context, colour: string): void {
  const { from, to, width, gap } = SHAPE.strike
  const line = new Path2D(`M${from.join(' ')}L${to.join(' ')}`)
  context.globalCompositeOperation = 'destination-out'
  stroke(context, line, colour, gap)
  context.globalCompositeOperation = 'source-over'
  stroke(context, line, colour, width)
}

function circle(radius: number): Path2D {
  const path = new Path2D()
  path.arc(CENTRE, CENTRE, radius, 0, 2 * Math.PI)
  return path
}

function stroke(context: Context, path: Path2D, colour: string, width: number): void {
  context.strokeStyle = colour
  context.lineWidth = width
  context.stroke(path)
}
