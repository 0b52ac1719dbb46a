// Texts from the catalogue of the extension, which the browser reads in its own language. Imported first by each
// program of the extension that says something.
import { browser } from 'wxt/browser'
import { speakFrom } from './say'

const lookUp = (key: string, parts: string[]): string =>
  (browser.i18n.getMessage as (key: string, parts: string[]) => string)(key, parts)
/** Texts without parts: each message of a conversation has the same ones, and the browser takes long to give them. */
const texts = new Map<string, string>()

speakFrom((key, parts) => {
  if (parts.length > 0) return lookUp(key, parts)
  const text = texts.get(key) ?? lookUp(key, parts)
  texts.set(key, text)
  return text
})
