// Who may send messages to the background: the extension's own pages. Web pages, other extensions and content scripts
// may not. The extension's own content scripts may not either: they share a process with the page.
import { browser } from 'wxt/browser'

export type Port = ReturnType<typeof browser.runtime.connect>
export type Sender = NonNullable<Port['sender']>

export function isOwnPage(sender: Sender | undefined): boolean {
  if (!sender || sender.id !== browser.runtime.id) return false
  return isOwnAddress(sender) && isWholeTab(sender)
}

/** A content script has the URL of its page. The origin of a sandboxed page of ours is opaque. */
function isOwnAddress({ url, origin }: Sender): boolean {
  const home = browser.runtime.getURL('/')
  if (!url?.startsWith(home)) return false
  return origin === undefined || `${origin}/` === home
}

/**
 * In a tab only the top frame counts: another page could embed ours in a frame and steer its clicks. The sidebar has no
 * tab.
 */
function isWholeTab({ tab, frameId }: Sender): boolean {
  return tab === undefined || frameId === 0
}
