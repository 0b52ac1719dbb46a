// The visible links of a page, in page order, without its text.
import { urlToStore, webUrl } from '../grants/hosts'
import type { PageLinks } from '../protocol.gen'
import { linksOf } from './links'
import { visibleDocument } from './visibility/visible_copy'
import { inSlices } from './slices'

/** The main part first, if the page names one. */
const MAIN = 'main, [role="main"], article'

export async function pageLinks(page: Document): Promise<PageLinks> {
  const visible = await inSlices(visibleDocument(page))
  const url = webUrl(page.URL)
  const { links } = linksOf(visible.querySelector(MAIN) ?? visible.body, visible)
  return { url: url ? urlToStore(url) : page.URL, links }
}
