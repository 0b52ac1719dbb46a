import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { extractVideos } from '../src/extract/results/videos'

export default defineUnlistedScript(() => extractVideos(document))
