// What acting remembers of a document. It lies in our isolated world, which lasts as long as the document, while each
// script from a file starts anew.
import type { Shown } from '../protocol.gen'
import type { Control } from './healing'
import { References } from './references'

export interface PageState {
  references: References
  /** The controls of all snapshots, as the last one with them said. */
  controls: Map<number, Control>
  hasSnapshot: boolean
  /** How often what runs was to end. */
  halts: number
  /** What a control turned out to send when it was pressed with a yes, by the digest of that yes. */
  ledTo: Map<string, Shown>
  /** Whether it was told that something in the page is not saved. */
  isUnsavedTold: boolean
}

const PLACE = 'pennyActing'

export function newPageState(): PageState {
  return {
    references: new References(),
    controls: new Map(),
    hasSnapshot: false,
    halts: 0,
    ledTo: new Map(),
    isUnsavedTold: false,
  }
}

/** End the acts that run in the page, before the next thing that they do. */
export function haltActs(): void {
  stateOfPage().halts += 1
}

/** Return a copy for a look that leaves no trace: numbers of new elements are given in it alone. */
export function copyOfState(): PageState {
  const { references, hasSnapshot } = stateOfPage()
  return { ...newPageState(), references: references.copy(), hasSnapshot }
}

export function stateOfPage(): PageState {
  const present: unknown = Reflect.get(globalThis, PLACE)
  if (present instanceof Object) return present as PageState
  const state = newPageState()
  Object.assign(globalThis, { [PLACE]: state })
  return state
}
