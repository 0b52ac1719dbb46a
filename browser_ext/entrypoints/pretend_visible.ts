import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { pretendVisible } from '../src/extract/visibility/pretend_visible'

// What is seen from the beginning is told everything by the browser.
export default defineUnlistedScript(() => {
  if (document.hidden) pretendVisible(window)
})
