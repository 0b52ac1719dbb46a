import { describe, expect, it } from 'vitest'
import { EVERYWHERE, isTiny, overlap, type Box } from './box'
import { clipPathBox } from './clip_path'

const box: Box = { left: 10, top: 20, right: 210, bottom: 60 }
const left = (clipPath: string) => overlap(clipPathBox(clipPath, box), box)

describe('a clip-path', () => {
  it.each([
    'inset(50%)',
    'inset(0px 0px 100%)',
    'inset(0px 9999px 0px 0px)',
    'inset(20px round 5px)',
    'circle(0px)',
    'circle(0px at 50% 50%)',
    'circle(10px at -500px -500px)',
    'ellipse(0px 0px at 50% 50%)',
    'polygon(0px 0px, 0px 0px, 0px 0px)',
    'polygon(0px 0px, 100% 0px, 0px 0px)',
    'polygon(evenodd, 500px 500px, 600px 500px, 500px 600px)',
    'rect(0px 0px 0px 0px)',
    'xywh(0px 0px 0px 0px)',
    'path("M 0 0 Z")',
  ])('%s leaves nothing', (clipPath) => {
    expect(isTiny(left(clipPath))).toBe(true)
  })

  it.each([
    'none',
    'inset(0px)',
    'inset(2px round 8px)',
    'circle(100px)',
    'circle(closest-side)',
    'polygon(0px 0px, 100% 0px, 100% 100%)',
    'url("#x")',
    'path("M 0 0 L 90 0 L 90 90 Z")',
    'inset(calc(50% - 1px))',
  ])('%s leaves something', (clipPath) => {
    expect(isTiny(left(clipPath))).toBe(false)
  })

  it('that cannot be told cuts nothing away', () => {
    expect(clipPathBox('ellipse(farthest-side closest-side)', box)).toEqual(EVERYWHERE)
  })
})
