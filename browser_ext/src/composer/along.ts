import type { Page } from '../protocol.gen'

/** What goes with the next message beside words and files. */
export interface Along {
  page: Page | null
  /** The find that the message is about. */
  thoughtId: string | null
  /** The site in front of the owner, whose tab Penny may use in Act mode. */
  tab: string | null
  /** The page is being read: nothing can be sent yet. */
  isReading: boolean
  clear: () => void
}
