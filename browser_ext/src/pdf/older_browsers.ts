// What pdf.js calls and the oldest supported browsers lack. It is imported before pdf.js, and holds only what the parts
// in the packages call. `older_browsers.test.ts` lists what those of a new release would need.

type Method = (this: never, ...values: never[]) => unknown

const maps = {
  getOrInsert<Key, Value>(this: Map<Key, Value>, key: Key, value: Value): Value {
    if (!this.has(key)) this.set(key, value)
    return this.get(key) as Value
  },
  getOrInsertComputed<Key, Value>(this: Map<Key, Value>, key: Key, compute: (key: Key) => Value): Value {
    if (!this.has(key)) this.set(key, compute(key))
    return this.get(key) as Value
  },
}
const iterators = {
  find<Item>(this: Iterable<Item>, test: (item: Item) => boolean): Item | undefined {
    for (const item of this) if (test(item)) return item
    return undefined
  },
  some<Item>(this: Iterable<Item>, test: (item: Item) => boolean): boolean {
    for (const item of this) if (test(item)) return true
    return false
  },
}
const promises = {
  try<Value>(work: (...values: unknown[]) => Value, ...values: unknown[]): Promise<Awaited<Value>> {
    return new Promise<Value>((resolve) => resolve(work(...values))) as Promise<Awaited<Value>>
  },
}
const urls = {
  parse(url: string, base?: string): URL | null {
    return URL.canParse(url, base) ? new URL(url, base) : null
  },
}
const numbers = {
  /** Sum whole numbers. pdf.js has no others to sum, and only others lose precision. */
  sumPrecise(summands: Iterable<number>): number {
    let sum = 0
    for (const summand of summands) sum += summand
    return sum
  },
}
const bytes = {
  toHex(this: Uint8Array): string {
    return Array.from(this, (byte) => byte.toString(16).padStart(2, '0')).join('')
  },
}

export function giveOlderBrowsers(): void {
  const iterator = Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object
  give(globalThis, { Iterator: Object.assign(function () {}, { prototype: iterator }) })
  give(iterator, iterators)
  give(Map.prototype, maps)
  give(WeakMap.prototype, maps)
  give(Promise, promises)
  give(URL, urls)
  give(Math, numbers)
  give(Uint8Array.prototype, bytes)
}

function give(holder: object, methods: Record<string, Method>): void {
  for (const [name, value] of Object.entries(methods))
    if (!(name in holder)) Object.defineProperty(holder, name, { value, writable: true, configurable: true })
}

giveOlderBrowsers()
