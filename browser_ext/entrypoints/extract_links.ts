import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { setTask } from '../src/extract/task'

export default defineUnlistedScript(() => setTask('links'))
