import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { fieldsOf } from '../src/extract/fields'
import { takeGiven } from '../src/extract/script_arguments'

export default defineUnlistedScript(() => fieldsOf(document, takeGiven()))
