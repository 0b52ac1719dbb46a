import { browser } from 'wxt/browser'
import { stored } from '../state/stored'

/** What browsers want before an extension may take a picture of a tab; they ask the owner on the options page. */
export const PICTURES = { origins: ['<all_urls>'] } satisfies { origins: string[] }

/** Whether the owner switched pictures on, and the browser lets them be taken. */
export async function mayTakePictures(): Promise<boolean> {
  const [isOn, isPermitted] = await Promise.all([stored.pictures.getValue(), browser.permissions.contains(PICTURES)])
  return isOn && isPermitted
}

/** On takes the browser's permission, which a page of the extension has asked for; returns whether pictures may be taken now. */
export async function setPictures(on: boolean): Promise<boolean> {
  await stored.pictures.setValue(on)
  // Chrome would take the permission to read pages with it.
  if (!on && import.meta.env.FIREFOX) await browser.permissions.remove(PICTURES).catch(() => undefined)
  return mayTakePictures()
}
