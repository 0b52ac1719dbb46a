import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import { MessageItem, type MessageProps } from './message_item'

type Items = Map<string, VNode<MessageProps>>

/**
 * Return a function that makes the items of all messages. Preact does not look into an element that it has drawn
 * before, so a new message costs no more below a long conversation than below a short one.
 */
export function useKeptItems(): (all: readonly MessageProps[]) => VNode<MessageProps>[] {
  const last = useRef<Items>(new Map())
  return (all) => {
    const items = all.map((props) => itemOf(props, last.current))
    last.current = new Map(items.map((item) => [item.props.message.id, item]))
    return items
  }
}

function itemOf(props: MessageProps, before: Items): VNode<MessageProps> {
  const item = before.get(props.message.id)
  return item && isSame(item.props, props) ? item : <MessageItem key={props.message.id} {...props} />
}

function isSame(before: MessageProps, now: MessageProps): boolean {
  const names = Object.keys(now) as (keyof MessageProps)[]
  return names.every((name) => before[name] === now[name])
}
