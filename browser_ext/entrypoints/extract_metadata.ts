import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { metadataOf } from '../src/extract/metadata/metadata'
import type { MetadataExtraction } from '../src/tools/read_metadata'

export default defineUnlistedScript((): MetadataExtraction => ({
  url: document.URL,
  metadata: metadataOf(document) ?? {},
}))
