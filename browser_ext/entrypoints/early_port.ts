import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { openEarly } from '../src/own_pages/early_port'

// The background is asked how things are while the panel's own script, which is larger, is still being read.
export default defineUnlistedScript(() => openEarly())
