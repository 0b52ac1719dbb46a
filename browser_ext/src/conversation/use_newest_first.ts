import { useEffect, useState } from 'preact/hooks'

const FIRST = 8
const THEN = 16

/**
 * Return the index from which messages are drawn: the newest at once, older ones a few at a time. So the box is ready
 * before two hundred messages are drawn, and typing never waits.
 */
export function useNewestFirst(count: number, isWhole: boolean): number {
  const [remaining, setLeft] = useState(isWhole ? 0 : Math.max(0, count - FIRST))
  useEffect(() => {
    if (remaining === 0) return
    const timer = setTimeout(() => setLeft(Math.max(0, remaining - THEN)))
    return () => clearTimeout(timer)
  }, [remaining])
  return remaining
}
