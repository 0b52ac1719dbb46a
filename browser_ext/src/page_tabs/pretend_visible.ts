// Makes pages in our hidden tabs behave as if they were visible. The script must run before the page's own.
import { browser } from 'wxt/browser'

/**
 * Register the script for this site, and return a function that removes it. Browsers cannot register a script for one
 * tab only. Another background tab of that site gets the script too, but nothing there triggers it. Where registering
 * fails, the page is read as it is.
 */
export async function registerPretendVisible({ hostname }: URL): Promise<() => Promise<void>> {
  const id = crypto.randomUUID()
  const site = hostname.replace(/^www\./, '')
  const matches = [`*://${hostname}/*`, ...(/^[\d.]+$|:/.test(site) ? [] : [`*://*.${site}/*`, `*://${site}/*`])]
  try {
    await browser.scripting.registerContentScripts([
      {
        id,
        matches,
        js: ['/pretend_visible.js'],
        world: 'MAIN',
        runAt: 'document_start',
        persistAcrossSessions: false,
      },
    ])
  } catch (reason) {
    console.info('Penny: what this page does only while it is seen may be missing', reason)
    return async () => undefined
  }
  // the page was read all the same
  return () => browser.scripting.unregisterContentScripts({ ids: [id] }).catch(() => undefined)
}
