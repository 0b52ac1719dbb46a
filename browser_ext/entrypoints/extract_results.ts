import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { extractResults } from '../src/extract/results/results'

export default defineUnlistedScript(() => extractResults(document))
