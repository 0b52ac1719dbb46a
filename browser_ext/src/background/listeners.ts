// The only two listeners for messages. There is none for other extensions or for web pages.
import { browser } from 'wxt/browser'
import { isPanelCommand, obey } from './commands'
import { isOwnPage } from './own_pages'
import type { Panels } from './panels'
import type { Penny } from './penny'

export function startListening(penny: Penny, panels: Panels): void {
  browser.runtime.onConnect.addListener((port) => {
    if (!penny.bars.welcome(port)) void panels.welcome(port, penny.ready, () => penny.memory.panel)
  })
  browser.runtime.onMessage.addListener((message: unknown, sender, answer) => {
    if (!isOwnPage(sender) || !isPanelCommand(message)) return false
    void penny.ready.then(() => obey(penny, message)).then(answer)
    return true
  })
}
