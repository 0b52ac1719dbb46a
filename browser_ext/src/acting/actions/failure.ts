// Why an act was not done, or not done whole.
import type { ActCode } from '../../protocol.gen'

/** What may be over in a moment: the act is tried again. */
const PASSING = new Set<ActCode>(['not_visible', 'covered', 'disabled', 'unstable'])

export class ActFailure extends Error {
  constructor(
    readonly code: ActCode,
    message: string,
  ) {
    super(message)
  }

  get mayPass(): boolean {
    return PASSING.has(this.code)
  }
}
