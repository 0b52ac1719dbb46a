// What the one script of all extractors is to do. A small script of the same world, run before it, names another task
// than reading the page: so that what the extractors share is in the extension once.

export type Task = 'page' | 'results' | 'fields' | 'metadata' | 'links' | 'screen' | 'videos'

const PLACE = 'pennyTask'

export function setTask(task: Task): void {
  Object.assign(globalThis, { [PLACE]: task })
}

/** Each task is named anew: the world of a page outlives a script. */
export function takeTask(): Task {
  const task: unknown = Reflect.get(globalThis, PLACE)
  Reflect.deleteProperty(globalThis, PLACE)
  return typeof task === 'string' ? (task as Task) : 'page'
}
