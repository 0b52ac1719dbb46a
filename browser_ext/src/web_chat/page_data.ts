// What the server says of the chat page, beside the messages that it rendered.
import type { Message, ThreadInfo } from '../protocol.gen'

export interface PageData {
  /** The newest messages, which the page shows already. */
  messages: Message[]
  /** The `seq` of the newest message of all. */
  cursor: number
  /** The view of the address, `?thread=`; `new` begins a thread. */
  thread: string
  threads: ThreadInfo[]
  /** What the page is among the owner's devices. */
  device: { id: string; label: string }
  /** The find that the next message is about, `?about=`. */
  about: { id: string; title: string } | null
  /** The file that another app shared, `?shared=`. */
  shared: { name: string; mime: string; text: string } | null
  /** What an empty conversation should say is missing. */
  missing: ('browser' | 'model')[]
}

export function readPageData(): PageData {
  return JSON.parse(document.getElementById('app')?.dataset.page ?? '{}') as PageData
}

/** Where Penny is, without a slash at the end. Her addresses begin with a path if she shares the host. */
export function siteAddress(): string {
  return `${location.origin}${document.documentElement.dataset.base ?? ''}`
}
