import { useEffect, useState } from 'preact/hooks'
import { browser } from 'wxt/browser'
import { frontTab, type Tab } from '../state/sharing'

/** The tab in front in this window, kept up to date. Null without one, and in private windows. */
export function useFrontTab(): Tab | null {
  const [tab, setTab] = useState<Tab | null>(null)
  useEffect(() => {
    const look = () => void tabInFront().then(setTab)
    const { onActivated, onUpdated, onRemoved } = browser.tabs
    const events = [onActivated, onUpdated, onRemoved]
    events.forEach((event) => event.addListener(look))
    look()
    return () => events.forEach((event) => event.removeListener(look))
  }, [])
  return tab
}

/** Null without a tab, and in private windows. */
export async function tabInFront(): Promise<Tab | null> {
  const [own, tabs] = await Promise.all([browser.tabs.getCurrent(), browser.tabs.query({ currentWindow: true })])
  const tab = frontTab(tabs, own?.id)
  return tab?.incognito ? null : tab
}
