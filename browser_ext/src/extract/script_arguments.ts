// Passes arguments to the script that runs next: a script from a file takes none. Both sides run isolated from the
// page's own scripts.
import type { Selector } from '../protocol.gen'

const PLACE = 'pennySelectors'

/** Runs in the page's tab, in our isolated world. */
export function putArguments(place: string, value: unknown): void {
  Object.assign(globalThis, { [place]: value })
}

export const argumentsAt = PLACE

export function takeArguments(): Selector[] {
  const selectors: unknown = Reflect.get(globalThis, PLACE)
  Reflect.deleteProperty(globalThis, PLACE)
  return Array.isArray(selectors) ? (selectors as Selector[]) : []
}
