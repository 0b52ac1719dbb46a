// Where a conversation comes to rest: at its end, so that a short answer stands at the bottom; but the beginning of an answer that is
// longer than the view never leaves it by itself.
const MARGIN_PX = 12;
const NEAR_PX = 48;

/** `box`: what scrolls. `newest`: the message or the running answer at the end, if there is one. */
export function restingTop(box, newest) {
  const end = Math.max(0, box.scrollHeight - box.clientHeight);
  if (!newest) return end;
  const from = box === document.scrollingElement ? 0 : box.getBoundingClientRect().top;
  const top = newest.getBoundingClientRect().top - from + box.scrollTop - MARGIN_PX;
  return Math.max(0, Math.min(end, top));
}

export const isAtEnd = (box) => box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;

/** Whether a reader is where the conversation would have come to rest, or at its very end. */
export const isAtRest = (box, newest) => isAtEnd(box) || Math.abs(box.scrollTop - restingTop(box, newest)) < NEAR_PX;
