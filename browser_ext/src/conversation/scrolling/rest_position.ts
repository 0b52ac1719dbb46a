// The rest position of a conversation: its end, so that a short answer stands at the bottom. The beginning of an answer
// that is longer than the view stays in view.
const MARGIN_PX = 12
const NEAR_PX = 48

/** The element that scrolls a list: in a low window, or at high zoom, the page itself may. */
export function scrollerOf(list: HTMLElement | null): HTMLElement | null {
  if (!list || getComputedStyle(list).overflowY !== 'visible') return list
  return document.scrollingElement instanceof HTMLElement ? document.scrollingElement : null
}

/** `newest`: the message or the running answer at the end. */
export function restTop(box: Element, newest: Element | null): number {
  const end = Math.max(0, box.scrollHeight - box.clientHeight)
  if (!newest) return end
  const from = box === document.scrollingElement ? 0 : box.getBoundingClientRect().top
  const top = newest.getBoundingClientRect().top - from + box.scrollTop - MARGIN_PX
  return Math.max(0, Math.min(end, top))
}

export function isAtEnd(box: Element): boolean {
  return box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX
}

/** Whether the box is at the rest position or at the end. */
export function isAtRest(box: Element, newest: Element | null): boolean {
  return isAtEnd(box) || Math.abs(box.scrollTop - restTop(box, newest)) < NEAR_PX
}
