import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import type { Message } from '../../protocol.gen'
import { sendCommand } from '../host'

const AT_ONCE = 100
const SHOWN_MS = 2000

/**
 * Scroll to the message that the owner chose in the search. Everything in between is fetched: the conversation has no
 * gaps.
 */
export function useFoundMessage(
  list: RefObject<HTMLOListElement | null>,
  messages: Message[],
  moreHistory: boolean,
  seq: number | null,
  onThere: () => void,
): void {
  const oldest = messages[0]?.seq
  useLayoutEffect(() => {
    if (seq === null || oldest === undefined) return
    if (oldest > seq && moreHistory) return void sendCommand({ type: 'older', before_seq: oldest, limit: AT_ONCE })
    const item = list.current?.querySelector<HTMLElement>(`[data-seq="${seq}"]`)
    onThere()
    if (item) focusMessage(item)
  }, [seq, oldest, moreHistory])
}

function focusMessage(item: HTMLElement): void {
  item.tabIndex = -1
  item.focus({ preventScroll: true })
  item.scrollIntoView({ block: 'center' })
  item.dataset.found = ''
  setTimeout(() => delete item.dataset.found, SHOWN_MS)
}
