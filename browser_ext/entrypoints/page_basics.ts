// What the extractors, acting, the bar and the background have in common. It runs before each of them, so that it is in
// the extension once. The build reads the imports below, and leaves these modules out of the other four scripts.
import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import * as textOf from '../src/extract/blocks/text_of'
import * as plainText from '../src/extract/plain_text'
import * as secretFields from '../src/private/secret_fields'
import * as secretSpans from '../src/private/secret_spans'
import * as shadowRoots from '../src/extract/shadow_roots'
import * as visibility from '../src/extract/visibility/visibility'
import * as hosts from '../src/grants/hosts'
import * as urlSecrets from '../src/grants/url_secrets'
import * as secrets from '../src/private/secrets'
import * as words from '../src/private/words'

export default defineUnlistedScript(() =>
  Object.assign(globalThis, {
    pennyBasics: {
      hosts,
      plainText,
      secretFields,
      secretSpans,
      secrets,
      shadowRoots,
      textOf,
      urlSecrets,
      visibility,
      words,
    },
  }),
)
