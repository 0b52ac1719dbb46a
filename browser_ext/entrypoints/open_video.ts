import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { openVideo } from '../src/extract/results/open_video'

export default defineUnlistedScript(() => openVideo(document))
