// Pages that begin in a tab of ours act as if somebody saw them, from before their first script: no later moment would do.
import { browser } from 'wxt/browser'

/**
 * Lets the pages of this site that begin unseen do at our looks what they would do for a reader, and returns what ends that. Browsers cannot
 * be asked to do so for one tab: another that the owner opens there in the background has the script too, and nobody looks at that one.
 * Where it cannot be had, the page is read as it is.
 */
export async function registerPretendVisible({ hostname }: URL): Promise<() => Promise<void>> {
  const id = crypto.randomUUID()
  const site = hostname.replace(/^www\./, '')
  const matches = [`*://${hostname}/*`, ...(/^[\d.]+$|:/.test(site) ? [] : [`*://*.${site}/*`, `*://${site}/*`])]
  try {
    await browser.scripting.registerContentScripts([
      { id, matches, js: ['/pretend_visible.js'], world: 'MAIN', runAt: 'document_start', persistAcrossSessions: false },
    ])
  } catch (reason) {
    console.info('Penny: what this page does only while it is seen may be missing', reason)
    return async () => undefined
  }
  return () => browser.scripting.unregisterContentScripts({ ids: [id] }).catch(() => undefined) // what was read is there all the same
}
