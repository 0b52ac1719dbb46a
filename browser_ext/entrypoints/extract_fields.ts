import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { fieldsOf } from '../src/extract/fields'
import { takeArguments } from '../src/extract/script_arguments'

export default defineUnlistedScript(() => fieldsOf(document, takeArguments()))
