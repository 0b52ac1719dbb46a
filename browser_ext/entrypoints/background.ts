import { browser } from 'wxt/browser'
import { defineBackground } from 'wxt/utils/define-background'
import { isPanelCommand, obey } from '../src/background/commands'
import { keepAlive } from '../src/background/keep_alive'
import { isOwnPage, Panels } from '../src/background/panels'
import { Penny } from '../src/background/penny'
import { openPanelOnClick } from '../src/background/toolbar'
import { closeLeftovers } from '../src/tools/leftovers'

export default defineBackground({
  persistent: true,
  main() {
    const panels = new Panels()
    const penny = new Penny((event) => panels.tell(event))

    browser.runtime.onConnect.addListener((port) => void panels.welcome(port, penny.ready, () => penny.memory.panel))
    browser.runtime.onMessage.addListener((message: unknown, sender, answer) => {
      if (!isOwnPage(sender) || !isPanelCommand(message)) return false
      void penny.ready.then(() => obey(penny, message)).then(answer)
      return true
    })
    openPanelOnClick()
    keepAlive(penny)
    void closeLeftovers()
    void penny.wake()
  },
})
