import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { command } from './background_link'

const NEAR_TOP_PX = 80
const GIVE_UP_MS = 10_000

/** Fetches older messages when the owner scrolls to the top, and keeps what they were reading in its place. */
export function useOlder(list: RefObject<HTMLOListElement | null>, oldestSeq: number | undefined, moreHistory: boolean) {
  const [isLoading, setLoading] = useState(false)
  const heightBefore = useRef(0)
  const hasMore = moreHistory && oldestSeq !== undefined && oldestSeq > 1
  const onScroll = () => {
    const { current } = list
    if (!current || current.scrollTop > NEAR_TOP_PX || isLoading || !hasMore) return
    heightBefore.current = current.scrollHeight - current.scrollTop
    setLoading(true)
    setTimeout(() => setLoading(false), GIVE_UP_MS)
    void command({ type: 'older', before_seq: oldestSeq }).then((outcome) => !outcome.ok && setLoading(false))
  }
  useLayoutEffect(() => {
    const { current } = list
    if (current && isLoading) current.scrollTop = current.scrollHeight - heightBefore.current
    setLoading(false)
  }, [oldestSeq, moreHistory])
  return { isLoading, hasMore, onScroll }
}
