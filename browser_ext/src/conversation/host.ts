// What shows the conversation: the sidebar of the extension, or the chat page of the site.
import type { Attachment, Message } from '../protocol.gen'
import { MAIN, type View } from '../state/conversation'
import type { ConversationCommand, Outcome, PanelEvent } from '../state/panel_state'

/** An item that outlives the page. */
export interface Item<Value> {
  getValue: () => Promise<Value>
  setValue: (value: Value) => Promise<void>
  /** Store it while the page goes, which waits for no promise. */
  setLast: (value: Value) => void
}

/** What the owner writes, before it is sent. */
interface Drafts {
  text: Item<string>
  /** A draft that was replaced by something to be sent first. */
  aside: Item<string>
  files: Item<Attachment[]>
  quoted: Item<Message | null>
}

export interface Host {
  /** Pass each event to the listener, the whole state first. Return a function that stops this. */
  listen: (listener: (event: PanelEvent) => void) => () => void
  /** Never rejects. */
  send: (command: ConversationCommand) => Promise<Outcome>
  drafts: Drafts
  /** What is in view. */
  view: Omit<Item<View>, 'setLast'>
  /** By view, the last `seq` that was there when the owner looked at it. */
  readTo: Item<Record<string, number>>
  /** Whether the page may show data: URLs. */
  embedsData: boolean
}

let current: Host | undefined

/** Called once, before anything is shown. */
export function setHost(host: Host): void {
  current = host
}

export function host(): Host {
  if (!current) throw new Error('setHost was not called')
  return current
}

let viewNow: View = MAIN

/** Messages are sent to this view from now on, and older ones fetched from it. */
export function setViewNow(view: View): void {
  viewNow = view
}

export function sendCommand(command: ConversationCommand): Promise<Outcome> {
  const isOfView = command.type === 'send' || command.type === 'older'
  return host().send(isOfView ? { ...command, thread: viewNow } : command)
}
