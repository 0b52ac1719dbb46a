import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { scrollerOf } from './rest_position'

const FIRST = 8
const THEN = 16
const FRAMES_MOST = 10

/**
 * Return the index from which messages are drawn: the newest at once, older ones a few at a time. So the box is ready
 * before two hundred messages are drawn, and typing never waits.
 */
export function useNewestFirst(list: RefObject<HTMLElement | null>, count: number, isWhole: boolean): number {
  const [remaining, setLeft] = useState(isWhole ? 0 : Math.max(0, count - FIRST))
  useEffect(() => {
    if (remaining === 0) return
    const draw = () => setLeft(Math.max(0, remaining - THEN))
    let cancel: (() => void) | undefined
    const timer = setTimeout(() => {
      cancel = inStillFrame(list.current, draw)
    })
    return () => {
      clearTimeout(timer)
      cancel?.()
    }
  }, [remaining])
  return remaining
}

/**
 * Draw in a frame in which nothing else scrolls: what grows above and what comes below together look to the browser as
 * if the text had jumped. Return a function that cancels it.
 */
function inStillFrame(list: HTMLElement | null, draw: () => void): () => void {
  let frame = 0
  let before = ''
  let frames = 0
  const look = () => {
    const now = placeOf(list)
    if (now === before || ++frames > FRAMES_MOST) draw()
    else frame = requestAnimationFrame(look)
    before = now
  }
  if (document.hidden) draw()
  else frame = requestAnimationFrame(look)
  return () => cancelAnimationFrame(frame)
}

function placeOf(list: HTMLElement | null): string {
  const box = scrollerOf(list)
  return box ? `${box.scrollTop} ${box.scrollHeight} ${box.clientHeight}` : 'none'
}
