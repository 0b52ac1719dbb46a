// From the number of a control to its element, also where the page replaced it by its like.
import { heal, type Control } from './healing'
import type { PageState } from './page_state'
import { folded } from './snapshot/find'
import { walkPage } from './snapshot/snapshot'

export interface Resolved {
  element: Element
  ref: number
  /** The number that it had before. */
  healedFrom?: number
}

/** `near`: lines about controls that are nearest in words. */
export interface Stale {
  near: string[]
}

const NEAR_MOST = 6

export function resolveReference(page: Document, state: PageState, ref: number): Resolved | Stale {
  const element = state.references.elementOf(ref)
  if (element) return { element, ref }
  const old = state.controls.get(ref)
  const { controls } = walkPage(page, state, {})
  const healed = old ? heal(old, controls) : null
  const like = healed === null ? null : state.references.elementOf(healed)
  if (healed !== null && like) return { element: like, ref: healed, healedFrom: ref }
  return { near: old ? nearest(old, controls) : [] }
}

/** Return the controls that share words with the old one, the best first. */
function nearest(old: Control, controls: readonly Control[]): string[] {
  const words = new Set(folded(`${old.role} ${old.name}`).split(/\s+/))
  const scored = controls.map((control) => ({ control, score: sharedWords(control, words) }))
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, NEAR_MOST)
    .map(({ control: { ref, role, name } }) => `[${ref} ${role === 'link' ? '' : `${role} `}${name}]`)
}

function sharedWords({ role, name }: Control, words: ReadonlySet<string>): number {
  return folded(`${role} ${name}`)
    .split(/\s+/)
    .filter((word) => words.has(word)).length
}
