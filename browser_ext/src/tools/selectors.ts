// Selectors of a skill, checked to be plain data before they reach a page.
import { browser } from 'wxt/browser'
import { abortable } from '../abortable'
import { putArguments, argumentsAt } from '../extract/script_arguments'
import type { Page, PageField, Selector } from '../protocol.gen'
import { runInPage } from '../page_tabs/run_in_page'
import type { PageTab } from '../page_tabs/page_tab'

/** Listed among the tools: the server sends selectors only to a browser that lists it. */
export const RUNS_SELECTORS = 'read_selectors'
const MOST = 24
const CSS_CHARACTERS = 200

export function areSelectors(value: unknown): value is Selector[] {
  return Array.isArray(value) && value.length <= MOST && value.every(isSelector)
}

function isSelector(value: unknown): value is Selector {
  if (typeof value !== 'object' || value === null) return false
  const { name, css, many } = value as Partial<Record<keyof Selector, unknown>>
  const isNamed = typeof name === 'string' && /^[a-z][a-z0-9_]{0,39}$/.test(name)
  return (
    isNamed && typeof css === 'string' && css.length > 0 && css.length <= CSS_CHARACTERS && typeof many === 'boolean'
  )
}

/** Return the fields that the selectors match on the tab's page, as part of the page. */
export async function fieldsIn(tab: PageTab, selectors: Selector[] | null | undefined): Promise<Pick<Page, 'fields'>> {
  if (!selectors) return {}
  await abortable(
    browser.scripting.executeScript({ target: { tabId: tab.id }, func: putArguments, args: [argumentsAt, selectors] }),
    tab.signal,
  )
  return { fields: await runInPage<PageField[]>(tab, '/extract_fields.js') }
}
