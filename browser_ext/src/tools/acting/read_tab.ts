import { extractInPage } from '../../page_tabs/run_in_page'
import { ToolFailure } from '../../page_tabs/call_context'
import type { Page, ReadTabArguments } from '../../protocol.gen'
import { hasTexts, tool } from '../tool'
import { presenceOf, siteUrl, tabNamed } from './errand_tabs'

/** Read the page of an errand's tab as it stands. */
export const readTab = tool(isReadTab, async ({ read }: ReadTabArguments, context): Promise<Page> => {
  const { tab } = await presenceOf(await tabNamed(read), context)
  const { page } = await extractInPage({ id: tab.id, signal: context.signal })
  siteUrl(page.url, tab.site, context)
  await presenceOf(tab, context)
  if (!page.text) throw new ToolFailure('empty_page', 'The page has no text that a reader could see.')
  return page
})

function isReadTab(value: unknown): value is ReadTabArguments {
  return hasTexts(value, 'read')
}
