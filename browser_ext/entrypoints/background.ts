import '../src/browser_catalogue'
import { defineBackground } from 'wxt/utils/define-background'
import { closeStorage } from '../src/background/closed_storage'
import { startListening } from '../src/background/listeners'
import { listenToKeys, listenToMenus, listenToOmnibox } from '../src/background/menus_and_keys'
import { keepAlive } from '../src/background/keep_alive'
import { Panels } from '../src/background/panels'
import { Penny } from '../src/background/penny'
import { openPanelOnClick } from '../src/background/toolbar'
import { ToolbarButton } from '../src/background/toolbar_button'
import { closeWorkerPage } from '../src/pdf/read_pdf'
import { closePopups } from '../src/page_tabs/popups'
import { cleanUp } from '../src/page_tabs/clean_up'

export default defineBackground({
  persistent: true,
  main() {
    const panels = new Panels(() => penny.vault.sendAtOnce())
    const penny: Penny = new Penny((event) => {
      panels.tell(event)
      button.follow()
    })
    const button = new ToolbarButton(penny)

    startListening(penny, panels)
    void closeStorage()
    openPanelOnClick()
    button.listen()
    listenToMenus(penny)
    listenToKeys(penny)
    listenToOmnibox(penny)
    penny.history.listen()
    void penny.owner.listen()
    keepAlive(penny)
    closePopups()
    void cleanUp()
    void closeWorkerPage()
    void penny.ready.then(() => button.show()) // a dead worker may have left its coin there
    void penny.wake()
  },
})
