import { render } from 'preact'
import '../../../penny_site/static/penny/tokens.css'
import '../../src/controls.css'
import '../../src/options/options.css'
import { App } from '../../src/options/app'

const holder = document.getElementById('app')
if (holder) render(<App />, holder)
