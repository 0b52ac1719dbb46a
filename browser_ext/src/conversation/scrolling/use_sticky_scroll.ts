import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { scrollerOf } from './rest_position'
import { StickyScroll } from './sticky_scroll'

/** Keep the newest message in view while the owner is at the bottom. */
export function useStickyScroll() {
  const list = useRef<HTMLOListElement>(null)
  const [isAtBottom, setAtBottom] = useState(true)
  const [following] = useState(
    () =>
      new StickyScroll({
        box: () => scrollerOf(list.current),
        newest: () => newestIn(list.current),
        tell: setAtBottom,
      }),
  )
  // before the first paint: nothing that was painted moves
  useLayoutEffect(() => (list.current ? watchList(list.current, following) : undefined), [])
  return { list, isAtBottom, following }
}

/** The last answer. The owner's own message needs no scrolling to its beginning. */
function newestIn(list: HTMLElement | null): HTMLElement | null {
  let last = list?.lastElementChild
  while (last && !last.matches('.message')) last = last.previousElementSibling
  return last instanceof HTMLElement && last.matches('.out') ? last : null
}

/** Return a function that stops watching. */
function watchList(list: HTMLElement, { follow, listen, scrolled }: StickyScroll): () => void {
  const growing = new MutationObserver(follow)
  const resizing = new ResizeObserver(follow)
  growing.observe(list, { childList: true, subtree: true, characterData: true })
  resizing.observe(list)
  list.addEventListener('load', follow, true) // images have their height only now
  document.addEventListener('scroll', scrolled, { passive: true })
  addEventListener('resize', follow)
  const deafen = listen(list)
  follow()
  return () => {
    growing.disconnect()
    resizing.disconnect()
    list.removeEventListener('load', follow, true)
    document.removeEventListener('scroll', scrolled)
    removeEventListener('resize', follow)
    deafen()
  }
}
