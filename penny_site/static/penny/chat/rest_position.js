// The rest position of a conversation: its end, so that a short answer stands at the bottom. The beginning of an answer that is
// longer than the view stays in view.
const MARGIN_PX = 12;
const NEAR_PX = 48;

/** `box`: the scrolling element. `newest`: the message or the running answer at the end, or null. */
export function restTop(box, newest) {
  const end = Math.max(0, box.scrollHeight - box.clientHeight);
  if (!newest) return end;
  const from = box === document.scrollingElement ? 0 : box.getBoundingClientRect().top;
  const top = newest.getBoundingClientRect().top - from + box.scrollTop - MARGIN_PX;
  return Math.max(0, Math.min(end, top));
}

export const isAtEnd = (box) => box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;

/** Whether the box is at the rest position or at the end. */
export const isAtRest = (box, newest) => isAtEnd(box) || Math.abs(box.scrollTop - restTop(box, newest)) < NEAR_PX;
