import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { extractVideos } from '../src/extract/videos'

export default defineUnlistedScript(() => extractVideos(document))
