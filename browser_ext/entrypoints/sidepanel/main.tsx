import '../../src/browser_catalogue'
import '../../../penny_site/static/penny/tokens.css'
import '../../../penny_site/static/penny/elements.css'
import '../../src/own_pages/controls.css'
import { openOwnPage } from '../../src/own_pages/own_page'
import '../../src/panel/panel.css'
import '../../src/conversation/styles'
import '../../src/composer/choices.css'
import '../../src/composer/composer.css'
import '../../src/panel/pairing.css'
import '../../src/panel/sight.css'
import { setHost } from '../../src/conversation/host'
import { App } from '../../src/panel/app'
import { panelHost } from '../../src/panel/host'

setHost(panelHost)
openOwnPage(<App />, 'Penny')
