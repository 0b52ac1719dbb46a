import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { openEarly } from '../src/own_pages/early_port'

// Asks the background for the state, and reads the storage, while the larger script of the panel is still loading.
export default defineUnlistedScript(() => openEarly())
