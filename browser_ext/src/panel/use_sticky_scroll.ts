import { useEffect, useRef, useState } from 'preact/hooks'

/** This close to the end counts as reading the newest. */
const NEAR_PX = 48

/** Keeps the newest in view for who is there already, and leaves alone who scrolled up to read. */
export function useStickyScroll() {
  const list = useRef<HTMLOListElement>(null)
  const sticks = useRef(true)
  const size = useRef('')
  const [isAtBottom, setAtBottom] = useState(true)
  const toBottom = () => {
    const { current } = list
    if (current) current.scrollTop = current.scrollHeight
  }
  /** A change of size moves the list too; only the owner's own scrolling says that they are reading elsewhere. */
  const onScroll = () => {
    const isSameSize = size.current === sizeOf(list.current)
    size.current = sizeOf(list.current)
    if (sticks.current && !isSameSize) return toBottom()
    sticks.current = isNearBottom(list.current)
    setAtBottom(sticks.current)
  }
  useEffect(() => {
    const { current } = list
    return current ? whenItGrows(current, () => sticks.current && toBottom()) : undefined
  }, [])
  return { list, isAtBottom, toBottom, onScroll }
}

/** Returns what stops watching. */
function whenItGrows(list: HTMLElement, follow: () => void): () => void {
  const growing = new MutationObserver(follow)
  const resizing = new ResizeObserver(follow)
  growing.observe(list, { childList: true, subtree: true, characterData: true })
  resizing.observe(list)
  list.addEventListener('load', follow, true) // images have their height only now
  return () => {
    growing.disconnect()
    resizing.disconnect()
    list.removeEventListener('load', follow, true)
  }
}

function sizeOf(list: HTMLElement | null): string {
  return list ? `${list.scrollHeight} ${list.clientHeight} ${list.clientWidth}` : ''
}

function isNearBottom(list: HTMLElement | null): boolean {
  return !list || list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_PX
}
