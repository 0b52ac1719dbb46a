// A name for the document of a frame: another one means another document.

/** Return the name of this document. It lasts as long as our isolated world. */
export function documentName(): string {
  const name: unknown = Reflect.get(globalThis, 'pennyDocument')
  if (typeof name === 'string') return name
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const fresh = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  Object.assign(globalThis, { pennyDocument: fresh })
  return fresh
}
