import { useEffect, useState } from 'preact/hooks'
import { browser } from 'wxt/browser'
import { isLoopback } from '../grants/hosts'

const TITLE = /(?:^|· )Penny$/

/** The address of a tab that shows Penny on this computer. A page of another computer could call itself so. */
export function useOpenPenny(): string | null {
  const [server, setServer] = useState<string | null>(null)
  useEffect(() => {
    const found = browser.tabs.query({}).then((tabs) => tabs.find(({ title, url }) => isPenny(title, url)))
    void found.catch(() => undefined).then((tab) => setServer(tab?.url ? new URL(tab.url).origin : null))
  }, [])
  return server
}

function isPenny(title = '', url = ''): boolean {
  if (!TITLE.test(title) || !URL.canParse(url)) return false
  const address = new URL(url)
  return address.protocol === 'http:' && isLoopback(address)
}
