import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { extract } from '../src/extract/extract'

export default defineUnlistedScript(() => extract(document))
