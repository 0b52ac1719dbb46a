import { render } from 'preact'
import '../../../penny_site/static/penny/tokens.css'
import '../../src/controls.css'
import '../../src/panel/panel.css'
import { App } from '../../src/panel/app'

const holder = document.getElementById('app')
if (holder) render(<App />, holder)
