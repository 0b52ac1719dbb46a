import { useEffect, useRef, useState } from 'preact/hooks'

/** This close to the end counts as reading the newest. */
const NEAR_PX = 48

/** Keeps the newest in view for who is there already, and leaves alone who scrolled up to read. */
export function useStickyScroll() {
  const list = useRef<HTMLOListElement>(null)
  const sticks = useRef(true)
  const [isAtBottom, setAtBottom] = useState(true)
  const toBottom = () => {
    const { current } = list
    if (current) current.scrollTop = current.scrollHeight
  }
  const onScroll = () => {
    sticks.current = isNearBottom(list.current)
    setAtBottom(sticks.current)
  }
  useEffect(() => {
    const { current } = list
    if (!current) return
    const follow = () => void (sticks.current && toBottom())
    const growing = new MutationObserver(follow)
    const resizing = new ResizeObserver(follow)
    growing.observe(current, { childList: true, subtree: true, characterData: true })
    resizing.observe(current)
    current.addEventListener('load', follow, true) // images have their height only now
    return () => {
      growing.disconnect()
      resizing.disconnect()
      current.removeEventListener('load', follow, true)
    }
  }, [])
  return { list, isAtBottom, toBottom, onScroll }
}

function isNearBottom(list: HTMLElement | null): boolean {
  return !list || list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_PX
}
