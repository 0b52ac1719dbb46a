import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { pretendVisible } from '../src/extract/visibility/pretend_visible'

// A tab that is visible from the start gets all events from the browser itself.
export default defineUnlistedScript(() => {
  if (document.hidden) pretendVisible(window)
})
