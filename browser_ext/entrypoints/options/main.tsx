import '../../src/browser_catalogue'
import '../../../penny_site/static/penny/tokens.css'
import '../../../penny_site/static/penny/elements.css'
import '../../src/own_pages/controls.css'
import '../../src/options/options.css'
import '../../src/options/sites.css'
import '../../src/options/settings.css'
import { setHost } from '../../src/conversation/host'
import { App } from '../../src/options/app'
import { openOwnPage } from '../../src/own_pages/own_page'
import { panelHost } from '../../src/panel/host'
import { say } from '../../src/say'

setHost(panelHost) // a notice is closed through it
openOwnPage(<App />, say('options_title'))
