import { browser } from 'wxt/browser'

/** Keeps what is stored from scripts that run in web pages. Chrome forgets this with each start; Firefox has nothing like it. */
export async function closeStorage(): Promise<void> {
  if (import.meta.env.FIREFOX) return
  await browser.storage.local.setAccessLevel({ accessLevel: 'TRUSTED_CONTEXTS' })
}
