import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { pageLinks } from '../src/extract/page_links'
import type { LinksExtraction } from '../src/tools/read_links'

export default defineUnlistedScript((): Promise<LinksExtraction> => pageLinks(document))
