// The extractors are one large script, so that what they share is in the extension once. It leaves a function in its
// world; a small script for each task runs it. So the large one may come before it is known that the page is quiet.

export type Task = 'page' | 'kept' | 'results' | 'fields' | 'metadata' | 'links' | 'screen' | 'videos'

const PLACE = 'pennyExtract'

export function provideExtract(extract: (task: Task) => unknown): void {
  Object.assign(globalThis, { [PLACE]: extract })
}

/** Each task takes the function anew: in a page of the owner, one of an older extension may have stayed. */
export function runTask(task: Task): unknown {
  const extract: unknown = Reflect.get(globalThis, PLACE)
  Reflect.deleteProperty(globalThis, PLACE)
  return typeof extract === 'function' ? (extract as (task: Task) => unknown)(task) : undefined
}
