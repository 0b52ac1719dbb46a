import { defineBackground } from 'wxt/utils/define-background'
import { closeStorage } from '../src/background/closed_storage'
import { openDoor } from '../src/background/listeners'
import { listenToKeys, listenToMenus, listenToOmnibox } from '../src/background/menus_and_keys'
import { keepAlive } from '../src/background/keep_alive'
import { Panels } from '../src/background/panels'
import { Penny } from '../src/background/penny'
import { openPanelOnClick } from '../src/background/toolbar'
import { closeHall } from '../src/pdf/read_pdf'
import { closeWhatOursOpen } from '../src/page_tabs/popups'
import { closeLeftovers } from '../src/page_tabs/clean_up'

export default defineBackground({
  persistent: true,
  main() {
    const panels = new Panels()
    const penny = new Penny((event) => panels.tell(event))

    openDoor(penny, panels)
    void closeStorage()
    openPanelOnClick()
    listenToMenus(penny)
    listenToKeys(penny)
    listenToOmnibox(penny)
    penny.history.listen()
    keepAlive(penny)
    closeWhatOursOpen()
    void closeLeftovers()
    void closeHall()
    void penny.wake()
  },
})
