import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { extractPage } from '../src/extract/page'

export default defineUnlistedScript(() => extractPage(document))
