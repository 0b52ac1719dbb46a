import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { sendCommand } from '../host'
import { scrollerOf } from './rest_position'

const NEAR_TOP = '80px 0px 0px'
const AGAIN_MS = 10_000

interface HistoryStatus {
  /** As far as this browser knows, the server has older messages. */
  hasMore: boolean
  /** There is a connection, and all loaded messages are drawn. */
  isReady: boolean
}

/** Fetch older messages while the top of the list is in view. What the owner reads keeps its place. */
export function useOlder(
  list: RefObject<HTMLOListElement | null>,
  oldestSeq: number | undefined,
  history: HistoryStatus,
) {
  const mark = useRef<HTMLLIElement>(null)
  const [isLoading, setLoading] = useState(false)
  const hasMore = history.hasMore && oldestSeq !== undefined && oldestSeq > 1
  usePlaceKept(list, oldestSeq)
  useEffect(() => {
    if (!mark.current || oldestSeq === undefined || !history.isReady) return
    return whileInView(mark.current, scrollerOf(list.current), () => {
      const ask = () => void sendCommand({ type: 'older', before_seq: oldestSeq })
      ask()
      setLoading(true)
      const asking = setInterval(ask, AGAIN_MS)
      return () => {
        clearInterval(asking)
        setLoading(false)
      }
    })
  }, [oldestSeq, hasMore, history.isReady])
  return { mark, isLoading, hasMore }
}

/**
 * Call `begin` when the element comes into view, and its result when the element leaves. Return a function that stops
 * this.
 */
function whileInView(element: HTMLElement, root: HTMLElement | null, begin: () => () => void): () => void {
  let end: (() => void) | undefined
  const observer = new IntersectionObserver(
    (entries) => {
      const isInView = entries.at(-1)?.isIntersecting
      if (isInView) end ??= begin()
      else {
        end?.()
        end = undefined
      }
    },
    { root, rootMargin: NEAR_TOP },
  )
  observer.observe(element)
  return () => {
    observer.disconnect()
    end?.()
  }
}

/** Keep the scroll position when older messages are added above. */
function usePlaceKept(list: RefObject<HTMLOListElement | null>, oldestSeq: number | undefined): void {
  const drawnSeq = useRef(oldestSeq)
  const fromEnd = useRef(0)
  const current = scrollerOf(list.current)
  // measured before the older messages are drawn
  if (current && drawnSeq.current !== oldestSeq) fromEnd.current = current.scrollHeight - current.scrollTop
  useLayoutEffect(() => {
    const scroller = scrollerOf(list.current)
    if (scroller && drawnSeq.current !== oldestSeq) scroller.scrollTop = scroller.scrollHeight - fromEnd.current
    drawnSeq.current = oldestSeq
  }, [oldestSeq])
}
