// @vitest-environment node
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { lines, pdf } from './fake_pdf'
import { giveOlderBrowsers } from './older_browsers'

const iterator = Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object
const GIVEN: [object, string[]][] = [
  [globalThis, ['Iterator']],
  [iterator, ['find', 'some']],
  [Map.prototype, ['getOrInsert', 'getOrInsertComputed']],
  [WeakMap.prototype, ['getOrInsert', 'getOrInsertComputed']],
  [Promise, ['try']],
  [URL, ['parse']],
  [Math, ['sumPrecise']],
  [Uint8Array.prototype, ['toHex']],
]
/** By the names of core-js. */
const GIVEN_MODULES = [
  ...['es.iterator.constructor', 'es.iterator.find', 'es.iterator.some', 'es.map.get-or-insert'],
  ...['es.map.get-or-insert-computed', 'es.math.sum-precise', 'es.promise.try', 'es.uint8-array.to-hex'],
  ...['es.weak-map.get-or-insert', 'es.weak-map.get-or-insert-computed', 'web.url.parse'],
]
const IN_ALL_BROWSERS = [
  ...['es.array.includes', 'es.array.push', 'es.json.parse', 'es.json.stringify', 'es.typed-array.with'],
  ...['web.dom-exception.stack', 'web.self'],
]
/** Called on arrays alone, or in parts that are left out. */
const NOT_CALLED = [
  ...['drop', 'every', 'filter', 'flat-map', 'for-each', 'map', 'take', 'to-array'].map(
    (name) => `es.iterator.${name}`,
  ),
  ...['difference', 'intersection', 'is-disjoint-from', 'is-subset-of', 'is-superset-of', 'symmetric-difference'].map(
    (name) => `es.set.${name}.v2`,
  ),
  ...['from-base64', 'set-from-base64', 'set-from-hex', 'to-base64'].map((name) => `es.uint8-array.${name}`),
  'es.set.union.v2',
]
/* oxlint-disable typescript/no-explicit-any */

let own: [object, string, PropertyDescriptor | undefined][]

beforeEach(() => {
  own = GIVEN.flatMap(([holder, names]) =>
    names.map((name) => [holder, name, Object.getOwnPropertyDescriptor(holder, name)] as (typeof own)[number]),
  )
  for (const [holder, name] of own) Reflect.deleteProperty(holder, name)
})

afterEach(() => {
  for (const [holder, name, descriptor] of own) if (descriptor) Object.defineProperty(holder, name, descriptor)
})

describe('a browser that lacks what pdf.js calls', () => {
  it('reads a PDF', async () => {
    vi.resetModules()
    const { pdfText } = await import('./document')
    expect(await pdfText(pdf([lines('Read all the same.')]).buffer)).toMatchObject({ text: 'Read all the same.' })
  })

  it('gets what others have', async () => {
    giveOlderBrowsers()
    const map = new Map([[1, 'a']]) as any
    const key = {}
    const weak = new WeakMap([[key, 1]]) as any
    expect([map.getOrInsert(1, 'b'), map.getOrInsert(2, 'b'), weak.getOrInsert(key, 2)]).toEqual(['a', 'b', 1])
    const compute = vi.fn((at: number) => `made for ${at}`)
    expect([map.getOrInsertComputed(1, compute), map.getOrInsertComputed(3, compute)]).toEqual(['a', 'made for 3'])
    expect([compute.mock.calls, map.size]).toEqual([[[3]], 3])
    expect([map.keys().some((at: number) => at > 2), map.keys().some((at: number) => at > 3)]).toEqual([true, false])
    expect([map.keys().find((at: number) => at > 1), map.keys().find((at: number) => at > 3)]).toEqual([2, undefined])
    expect([(URL as any).parse('a', 'https://b.example/')?.href, (URL as any).parse('a')]).toEqual([
      'https://b.example/a',
      null,
    ])
    expect([(Math as any).sumPrecise(new Uint8Array([1, 2, 255])), (Math as any).sumPrecise([])]).toEqual([258, 0])
    expect((new Uint8Array([0, 10, 255]) as any).toHex()).toBe('000aff')
    expect((globalThis as any).Iterator.prototype).toBe(iterator)
    expect(await (Promise as any).try((value: number) => value + 1, 1)).toBe(2)
    const fail = () => {
      throw new Error('as a rejection')
    }
    await expect((Promise as any).try(fail)).rejects.toThrow('as a rejection')
  })

  it('keeps what it has itself', () => {
    const parse = () => null
    Object.assign(URL, { parse })
    giveOlderBrowsers()
    expect((URL as any).parse).toBe(parse)
  })
})

it.each(['pdf.mjs', 'pdf.worker.mjs'])('%s needs no more than is known', (name) => {
  const legacy = readFileSync(`node_modules/pdfjs-dist/legacy/build/${name}`, 'utf8')
  const modules = new Set(
    [...legacy.matchAll(/node_modules\/core-js\/modules\/([\w.-]+)\.js/g)].map(([, module]) => module),
  )
  const known = new Set([...GIVEN_MODULES, ...IN_ALL_BROWSERS, ...NOT_CALLED])
  expect(modules.size).toBeGreaterThan(20)
  expect([...modules].filter((module) => !known.has(module ?? ''))).toEqual([])
})
