import { useEffect, useState } from 'preact/hooks'

const FIRST = 8
const THEN = 16

/**
 * Returns from which message on a conversation of so many is drawn: the newest at once, the others a few at a time. The box is there to be
 * written into before two hundred are drawn, and what is typed meanwhile waits for none of them.
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
