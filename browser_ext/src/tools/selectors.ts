// What a skill looks for on a page: checked to be plain data before it goes near one.
import { browser } from 'wxt/browser'
import { abortable } from '../abortable'
import { give, givenAt } from '../extract/script_arguments'
import type { Page, PageField, Selector } from '../protocol.gen'
import { injected } from '../page_tabs/run_in_page'
import type { PageTab } from '../page_tabs/page_tab'

/** Said among the tools: a server gives selectors only to a browser that takes them. */
export const RUNS_SELECTORS = 'read_selectors'
const MOST = 24
const CSS_CHARACTERS = 200

export function areSelectors(given: unknown): given is Selector[] {
  return Array.isArray(given) && given.length <= MOST && given.every(isSelector)
}

function isSelector(given: unknown): given is Selector {
  if (typeof given !== 'object' || given === null) return false
  const { name, css, many } = given as Partial<Record<keyof Selector, unknown>>
  const isNamed = typeof name === 'string' && /^[a-z][a-z0-9_]{0,39}$/.test(name)
  return isNamed && typeof css === 'string' && css.length > 0 && css.length <= CSS_CHARACTERS && typeof many === 'boolean'
}

/** Returns what the selectors find on the page in the tab, as the part of the page that it is. */
export async function fieldsIn(tab: PageTab, selectors: Selector[] | null | undefined): Promise<Pick<Page, 'fields'>> {
  if (!selectors) return {}
  await abortable(browser.scripting.executeScript({ target: { tabId: tab.id }, func: give, args: [givenAt, selectors] }), tab.signal)
  return { fields: await injected<PageField[]>(tab, '/extract_fields.js') }
}
