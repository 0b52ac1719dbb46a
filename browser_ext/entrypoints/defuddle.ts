import Defuddle from 'defuddle'
import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { provideDefuddle } from '../src/extract/defuddle'

export default defineUnlistedScript(() =>
  provideDefuddle((visible, url) => new Defuddle(visible, { url, useAsync: false }).parse().content),
)
