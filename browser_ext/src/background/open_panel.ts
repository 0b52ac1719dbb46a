import { browser } from 'wxt/browser'
import { firefox } from '../firefox'

/**
 * Opens the panel beside a tab. Browsers let it be opened only while they tell of something that the owner did: call it at once, before
 * anything is waited for. Where one refuses all the same, the panel opens as a tab.
 */
export function openPanel(windowId: number | undefined): void {
  void openInBrowser(windowId).catch(() => browser.tabs.create({ url: browser.runtime.getURL('/sidepanel.html'), ...(windowId !== undefined && { windowId }) }))
}

function openInBrowser(windowId: number | undefined): Promise<void> {
  if (import.meta.env.FIREFOX) return firefox.sidebarAction.open()
  return windowId === undefined ? Promise.reject(new Error('no window')) : browser.sidePanel.open({ windowId })
}
