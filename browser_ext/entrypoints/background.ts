import { defineBackground } from 'wxt/utils/define-background'
import { closeStorage } from '../src/background/closed_storage'
import { startListening } from '../src/background/listeners'
import { listenToKeys, listenToMenus, listenToOmnibox } from '../src/background/menus_and_keys'
import { keepAlive } from '../src/background/keep_alive'
import { Panels } from '../src/background/panels'
import { Penny } from '../src/background/penny'
import { openPanelOnClick } from '../src/background/toolbar'
import { closeWorkerPage } from '../src/pdf/read_pdf'
import { closePopups } from '../src/page_tabs/popups'
import { cleanUp } from '../src/page_tabs/clean_up'

export default defineBackground({
  persistent: true,
  main() {
    const panels = new Panels()
    const penny = new Penny((event) => panels.tell(event))

    startListening(penny, panels)
    void closeStorage()
    openPanelOnClick()
    listenToMenus(penny)
    listenToKeys(penny)
    listenToOmnibox(penny)
    penny.history.listen()
    keepAlive(penny)
    closePopups()
    void cleanUp()
    void closeWorkerPage()
    void penny.wake()
  },
})
