import { useEffect, useState } from 'preact/hooks'
import { browser } from 'wxt/browser'
import { isLoopback } from '../grants/hosts'

const TITLE = /(?:^|· )Penny$/

/**
 * The address of the tabs that show Penny on this computer, if it is one. Pages of other computers could call
 * themselves so.
 */
export function useOpenPenny(): string | null {
  const [server, setServer] = useState<string | null>(null)
  useEffect(() => {
    const origins = browser.tabs.query({}).then((tabs) => [...new Set(tabs.flatMap(originOfPenny))])
    void origins.catch(() => []).then(([origin, ...others]) => setServer(others.length === 0 ? (origin ?? null) : null))
  }, [])
  return server
}

export function originOfPenny({
  title = '',
  url = '',
}: {
  title?: string | undefined
  url?: string | undefined
}): string[] {
  if (!TITLE.test(title) || !URL.canParse(url)) return []
  const address = new URL(url)
  return address.protocol === 'http:' && isLoopback(address) ? [address.origin] : []
}
