import { browser } from 'wxt/browser'
import { firefox } from '../firefox'

/**
 * Open the panel beside a tab. Browsers allow that only within an action of the owner: call this before any await. If
 * the browser refuses, open the panel in a tab.
 */
export function openPanel(windowId: number | undefined): void {
  void openInBrowser(windowId).catch(() =>
    browser.tabs.create({
      url: browser.runtime.getURL('/sidepanel.html'),
      ...(windowId !== undefined && { windowId }),
    }),
  )
}

function openInBrowser(windowId: number | undefined): Promise<void> {
  if (import.meta.env.FIREFOX) return firefox.sidebarAction.open()
  return windowId === undefined ? Promise.reject(new Error('no window')) : browser.sidePanel.open({ windowId })
}
