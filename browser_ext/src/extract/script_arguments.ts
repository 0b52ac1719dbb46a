// Passes selectors to the script that runs them: a script from a file takes no arguments. Both sides run isolated from
// the page's own scripts.
import type { Selector } from '../protocol.gen'

const PLACE = 'pennySelectors'

/** Runs in the page's tab, in our isolated world. */
export function putArguments(place: string, selectors: Selector[]): void {
  Object.assign(globalThis, { [place]: selectors })
}

export const argumentsAt = PLACE

export function takeArguments(): Selector[] {
  const selectors: unknown = Reflect.get(globalThis, PLACE)
  Reflect.deleteProperty(globalThis, PLACE)
  return Array.isArray(selectors) ? (selectors as Selector[]) : []
}
