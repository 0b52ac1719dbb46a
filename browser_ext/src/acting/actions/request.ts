// What the background asks of the page, and what it gets back.
import type {
  ActCode,
  ClickAction,
  GoAction,
  HoverAction,
  PressAction,
  ScrollAction,
  SetAction,
  Shown,
  TypeAction,
} from '../../protocol.gen'

/** What is done by the page. The background itself waits, and moves through the history. */
export type PageAction = ClickAction | SetAction | TypeAction | PressAction | HoverAction | ScrollAction | GoAction

export interface ActRequest {
  action: PageAction
  /** The host of the errand: its pages alone are acted on. */
  site: string
  /** The first number that no element of the tab has. */
  next: number
  /** The digest of what the owner said yes to. */
  approved?: string
  /** What the page asked when the same act was made before: the owner is asked about both. */
  dialog?: string
}

interface WithNext {
  next: number
}

/** `address`: to be opened. `mayPass`: worth another try. `hasBegun`: a part of it may be done. */
export type ActReply = WithNext &
  (
    | { state: 'done'; healed?: [string, string]; value?: string; address?: string }
    | { state: 'needs_approval'; shown: Shown }
    | { state: 'failed'; code: ActCode; message: string; mayPass: boolean; hasBegun: boolean }
  )
