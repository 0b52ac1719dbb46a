// Why an act was not done, or not done whole.

export type ActCode =
  | 'stale_ref'
  | 'not_found'
  | 'not_visible'
  | 'covered'
  | 'disabled'
  | 'unstable'
  | 'not_editable'
  | 'no_option'
  | 'ambiguous'
  | 'secret_refused'
  | 'value_refused'
  | 'unsupported'
  | 'left_site'
  | 'unsaved'
  | 'frame_not_granted'
  | 'changed_since_asked'
  | 'too_large'
  | 'owner_took_over'

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
