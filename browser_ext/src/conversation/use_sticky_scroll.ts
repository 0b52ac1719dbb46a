import { useEffect, useRef, useState } from 'preact/hooks'
import { StickyScroll } from '../../../penny_site/static/penny/chat/sticky_scroll.js'

/** Keeps the newest of the conversation in view for who is there already. */
export function useStickyScroll() {
  const list = useRef<HTMLOListElement>(null)
  const [isAtBottom, setAtBottom] = useState(true)
  const [following] = useState(() => new Following({ box: () => list.current, newest: () => newestIn(list.current), tell: setAtBottom }))
  useEffect(() => (list.current ? watchList(list.current, following) : undefined), [])
  return { list, isAtBottom, following }
}

/** The answer that comes last. What the owner wrote themselves they need not be shown the beginning of. */
function newestIn(list: HTMLElement | null): HTMLElement | null {
  let last = list?.lastElementChild
  while (last && !last.matches('.message')) last = last.previousElementSibling
  return last instanceof HTMLElement && last.matches('.out') ? last : null
}

/** Returns what stops watching. */
function watchList(list: HTMLElement, { follow, listen }: Following): () => void {
  const growing = new MutationObserver(follow)
  const resizing = new ResizeObserver(follow)
  growing.observe(list, { childList: true, subtree: true, characterData: true })
  resizing.observe(list)
  list.addEventListener('load', follow, true) // images have their height only now
  const deafen = listen(list)
  return () => {
    growing.disconnect()
    resizing.disconnect()
    list.removeEventListener('load', follow, true)
    deafen()
  }
}
