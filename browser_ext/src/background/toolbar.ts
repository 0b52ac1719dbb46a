import { browser } from 'wxt/browser'
import { firefox } from '../firefox'

/** A click on the toolbar button opens the sidebar, in the way of each browser. */
export function openPanelOnClick(): void {
  if (import.meta.env.FIREFOX) browser.browserAction.onClicked.addListener(() => void firefox.sidebarAction.toggle())
  else void browser.sidePanel.setPanelBehavior({ openPanelOnActionClick: true })
}
