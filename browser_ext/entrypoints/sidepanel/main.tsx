import '../../../penny_site/static/penny/tokens.css'
import '../../../penny_site/static/penny/chat/said.css'
import '../../../penny_site/static/penny/chat/completing.css'
import '../../src/controls.css'
import { openOwnPage } from '../../src/own_page'
import '../../src/panel/panel.css'
import { App } from '../../src/panel/app'

openOwnPage(<App />, 'Penny')
