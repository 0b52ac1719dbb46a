export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export const EVERYWHERE: Box = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity }

export function overlap(a: Box, b: Box): Box {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  }
}

/** Whether nothing can be recognised within: less than two pixels show nothing. */
export function isTiny(box: Box): boolean {
  return box.right - box.left < 2 || box.bottom - box.top < 2
}
