import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { act } from '../src/acting/actions/act'
import { lookAtPage } from '../src/acting/actions/watch'
import { copyOfState, haltActs, stateOfPage } from '../src/acting/page_state'
import { awaitOwner, leaveOwner } from '../src/acting/pill/owner'
import { snapshotOf } from '../src/acting/snapshot/snapshot'
import { provideActing } from '../src/acting/task'

export default defineUnlistedScript(() =>
  provideActing({
    act: (request) => act(document, stateOfPage(), request),
    look: (request) => lookAtPage(document, stateOfPage().references, request),
    halt: haltActs,
    awaitOwner: (request) => awaitOwner(document, request),
    leaveOwner,
    preview: (request) => snapshotOf(document, copyOfState(), request),
    snapshot: (request) => snapshotOf(document, stateOfPage(), request),
  }),
)
