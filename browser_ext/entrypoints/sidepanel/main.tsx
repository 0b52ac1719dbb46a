import '../../../penny_site/static/penny/tokens.css'
import '../../../penny_site/static/penny/chat/said.css'
import '../../../penny_site/static/penny/chat/completing.css'
import '../../src/own_pages/controls.css'
import { openOwnPage } from '../../src/own_pages/own_page'
import '../../src/panel/panel.css'
import { App } from '../../src/panel/app'

openOwnPage(<App />, 'Penny')
