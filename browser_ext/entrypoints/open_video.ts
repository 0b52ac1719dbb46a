import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { openVideo } from '../src/extract/open_video'

export default defineUnlistedScript(() => openVideo(document))
