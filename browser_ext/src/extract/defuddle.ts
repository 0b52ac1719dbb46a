// Defuddle stands in a script of its own, loaded into a page only where the own choice of blocks finds too little. Both
// scripts run isolated from the page's own.

export type Defuddled = (visible: Document, url: string) => string

const PLACE = 'pennyDefuddle'

export function provideDefuddle(defuddle: Defuddled): void {
  Object.assign(globalThis, { [PLACE]: defuddle })
}

export function loadedDefuddle(): Defuddled | null {
  const defuddle: unknown = Reflect.get(globalThis, PLACE)
  return typeof defuddle === 'function' ? (defuddle as Defuddled) : null
}
