import { browser } from 'wxt/browser'
import { stored } from '../state/stored'

/** Browsers demand this before an extension may photograph a tab. The owner is asked on the options page. */
export const PICTURES = { origins: ['<all_urls>'] } satisfies { origins: string[] }

/** Whether the owner switched pictures on and the browser permits them. */
export async function mayTakePictures(): Promise<boolean> {
  const [isOn, isPermitted] = await Promise.all([stored.pictures.getValue(), browser.permissions.contains(PICTURES)])
  return isOn && isPermitted
}

/**
 * Store the switch. An own page has asked the browser for the permission. Return whether pictures are permitted now.
 */
export async function setPictures(on: boolean): Promise<boolean> {
  await stored.pictures.setValue(on)
  // Chrome would also revoke the permission to read pages.
  if (!on && import.meta.env.FIREFOX) await browser.permissions.remove(PICTURES).catch(() => undefined)
  return mayTakePictures()
}
