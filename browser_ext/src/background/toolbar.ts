import { browser } from 'wxt/browser'
import { firefox } from '../firefox'

export function openPanelOnClick(): void {
  if (import.meta.env.FIREFOX) browser.browserAction.onClicked.addListener(() => void firefox.sidebarAction.toggle())
  else void browser.sidePanel.setPanelBehavior({ openPanelOnActionClick: true })
}
