// The page of Penny's that shows what this browser brought, and deletes it. The browser opens it once the extension is
// removed. Its address names this browser, and holds nothing else: the page asks for the owner's session.
import { browser } from 'wxt/browser'
import type { Pairing } from './pairing'

type Place = Pick<Pairing, 'server' | 'device_id'>

/** Browsers open no longer one. */
const ADDRESS_CHARACTERS = 1023

export function leftPage({ server, device_id }: Place): string {
  return `${server}/left/${device_id}/`
}

/** Without a pairing, and where the address is too long, nothing opens. */
export async function openWhenRemoved(place: Place | null): Promise<void> {
  const address = place ? leftPage(place) : ''
  try {
    await browser.runtime.setUninstallURL(address.length <= ADDRESS_CHARACTERS ? address : '')
  } catch (failure) {
    console.error('Penny: no page can be opened when the extension is removed', failure)
  }
}
