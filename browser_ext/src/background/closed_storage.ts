import { browser } from 'wxt/browser'

/** Hide the stored items from content scripts. Chrome forgets this at every start; Firefox has no such setting. */
export async function closeStorage(): Promise<void> {
  if (import.meta.env.FIREFOX) return
  await browser.storage.local.setAccessLevel({ accessLevel: 'TRUSTED_CONTEXTS' })
}
