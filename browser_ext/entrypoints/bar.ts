import '../src/browser_catalogue'
import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { Bar } from '../src/selection/bar'

/** In our isolated world: the script runs again for each call of the owner. */
const PLACE = 'pennyBar'

export default defineUnlistedScript(() => {
  const bar = (Reflect.get(globalThis, PLACE) as Bar | undefined) ?? new Bar(document)
  Object.assign(globalThis, { [PLACE]: bar })
  bar.show()
})
