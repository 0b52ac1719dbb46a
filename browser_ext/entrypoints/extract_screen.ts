import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { screenOf } from '../src/extract/screen'

export default defineUnlistedScript(() => screenOf(document))
