import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { runTask } from '../src/extract/task'

export default defineUnlistedScript(() => runTask('kept'))
