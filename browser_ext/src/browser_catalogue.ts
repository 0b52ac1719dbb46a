// Texts from the catalogue of the extension, which the browser reads in its own language. Imported first by each
// program of the extension that says something.
import { browser } from 'wxt/browser'
import { speakFrom } from './say'

speakFrom((key, parts) => (browser.i18n.getMessage as (key: string, parts: string[]) => string)(key, parts))
