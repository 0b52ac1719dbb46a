// Who may speak to the background: the extension's own pages. No web page, no other extension, and no script that runs in a web page,
// not even the extension's own reading script, which shares its process with the page.
import { browser } from 'wxt/browser'

export type Port = ReturnType<typeof browser.runtime.connect>
export type Sender = NonNullable<Port['sender']>

export function isOwnPage(sender: Sender | undefined): boolean {
  if (!sender || sender.id !== browser.runtime.id) return false
  return isOwnAddress(sender) && isWholeTab(sender)
}

/** `url` is the page's, and a content script has the page's too. `origin` is opaque for a page of ours that is sandboxed. */
function isOwnAddress({ url, origin }: Sender): boolean {
  const home = browser.runtime.getURL('/')
  if (!url?.startsWith(home)) return false
  return origin === undefined || `${origin}/` === home
}

/** In a tab only the page itself counts, never a frame of another page, which could steer its clicks. The sidebar is in no tab. */
function isWholeTab({ tab, frameId }: Sender): boolean {
  return tab === undefined || frameId === 0
}
