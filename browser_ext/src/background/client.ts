import { browser } from 'wxt/browser'
import type { Client } from '../protocol.gen'

export function thisClient(): Client {
  return { name: 'penny-extension', version: browser.runtime.getManifest().version, browser: import.meta.env.BROWSER }
}
