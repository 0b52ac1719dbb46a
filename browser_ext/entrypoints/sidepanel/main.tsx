import '../../../penny_site/static/penny/tokens.css'
import '../../../penny_site/static/penny/elements.css'
import '../../../penny_site/static/penny/chat/message.css'
import '../../../penny_site/static/penny/chat/search.css'
import '../../../penny_site/static/penny/chat/composer.css'
import '../../src/controls.css'
import { openOwnPage } from '../../src/own_page'
import '../../src/panel/panel.css'
import { App } from '../../src/panel/app'

openOwnPage(<App />, 'Penny')
