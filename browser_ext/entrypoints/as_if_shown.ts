import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { asIfShown } from '../src/extract/as_if_shown'

// What is seen from the beginning is told everything by the browser.
export default defineUnlistedScript(() => {
  if (document.hidden) asIfShown(window)
})
