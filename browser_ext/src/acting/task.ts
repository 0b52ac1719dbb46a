// Acting is one large script, so that what its tasks share is in the extension once. It leaves its tasks in its world,
// where they stay as long as the document: acting looks at a page twenty times a second.
import type { ActReply, ActRequest } from './actions/request'
import type { LookRequest, PageLook } from './actions/watch'
import type { OwnerRequest } from './pill/owner'
import type { OwnerMove } from './pill/pill'
import type { FrameSnapshot, SnapshotArguments } from './snapshot/snapshot'

export interface Acting {
  act: (request: ActRequest) => Promise<ActReply>
  look: (request: LookRequest) => PageLook
  snapshot: (request: SnapshotArguments) => FrameSnapshot | null
  /** The same as `snapshot`, and what acting remembers of the page stays as it was. */
  preview: (request: SnapshotArguments) => FrameSnapshot | null
  halt: () => void
  awaitOwner: (request: OwnerRequest) => Promise<OwnerMove | null>
  leaveOwner: () => void
}

export const actingAt = 'pennyActs'
/** The answer of a document that the script did not come to. */
export const ABSENT = 'absent'

export function provideActing(acting: Acting): void {
  Object.assign(globalThis, { [actingAt]: acting })
}

/**
 * Runs in the page's tab, in our isolated world. `own`: where this background keeps the tasks, since those of an older
 * extension may have stayed. `from`: where the script left them just now.
 */
export function callActing(own: string, from: string | null, task: string, request: unknown): unknown {
  if (from !== null) Reflect.set(globalThis, own, Reflect.get(globalThis, from))
  const tasks = Reflect.get(globalThis, own) as Record<string, (request: unknown) => unknown> | undefined
  return tasks ? tasks[task]?.(request) : 'absent'
}
