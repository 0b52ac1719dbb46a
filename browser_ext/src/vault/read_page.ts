// Reads the page of a tab that the owner wants to keep.
import { browser } from 'wxt/browser'
import type { PrivateSigns } from '../extract/private_signs'
import { pageInTab } from '../page_tabs/page_of_tab'
import { extractToKeep } from '../page_tabs/run_in_page'
import type { Contacts, Page } from '../protocol.gen'
import { contactsOf } from './contacts'
import { coverSecrets } from './cover_secrets'
import { showsSecretField } from './rules/after'

export interface Capture {
  page: Page
  contacts: Contacts
  masked: number
  maskedCharacters: number
  isPrivate: boolean
  asksSecret: boolean
  /** What tells that it is a page of the owner's own. A PDF has none. */
  signs: PrivateSigns | null
}

/**
 * Read the page as it stands: without its picture, which is not kept. Throw ToolFailure, whose message is for the
 * owner.
 */
export async function readToKeep(tabId: number, server: string): Promise<Capture> {
  const { page, extraction } = await pageInTab(tabId, server, extractToKeep)
  const { image: _, ...rest } = page
  const covered = coverSecrets(rest)
  const visible = [covered.page.text, extraction?.page.left_out ?? ''].join('\n')
  const contacts = contactsOf(extraction?.addresses ?? [], visible, page.url)
  const signs = extraction?.signs ?? null
  const asksSecret = signs !== null && showsSecretField(signs)
  const { incognito } = await browser.tabs.get(tabId)
  const { masked, maskedCharacters } = covered
  return { page: covered.page, contacts, masked, maskedCharacters, isPrivate: incognito, asksSecret, signs }
}
