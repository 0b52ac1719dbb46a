import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { extract } from '../src/extract/extract'
import { provideExtract } from '../src/extract/task'

export default defineUnlistedScript(() => provideExtract((task) => extract(task, document)))
