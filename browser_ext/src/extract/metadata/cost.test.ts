// @vitest-environment page
import { describe, expect, it } from 'vitest'
import { costOf } from '../../fake_cost'
import { metadataOf } from './metadata'

const ld = (value: unknown) =>
  `<script type="application/ld+json">${typeof value === 'string' ? value : JSON.stringify(value)}</script>`
const script = (text: string) => `<script>${text}</script>`
const times = <Value>(count: number, make: (at: number) => Value) => Array.from({ length: count }, (_, at) => make(at))
const same = (count: number, value: unknown) => times(count, () => value)
const words = (count: number) => times(count, (at) => `w${at}`).join(' ')
const self = { '@id': '#lever' }

/** Pages that a shop could write to hold the reader's browser. */
const WORST: [string, () => string][] = [
  ['a text with blanks that no JSON closes', () => ld(`{"a": "${' '.repeat(400_000)}" x}`)],
  ['deep lists to mend', () => ld(`${'['.repeat(200_000)}${']'.repeat(199_000)}`)],
  ['lines of comments', () => ld(`${'// '.repeat(200_000)}{}`)],
  ['many commas to mend', () => ld(`[${'{"a":1,},'.repeat(60_000)}]`)],
  ['an object with many names', () => ld(Object.fromEntries(times(70_000, (at) => [`n${at}`, 1])))],
  ['many scripts of JSON', () => ld(`["${'x'.repeat(400_000)}"]`).repeat(10)],
  ['objects that a script never closes', () => script(`price ${'a = {'.repeat(100_000)}`)],
  ['JSON texts that never end', () => script(`price ${'JSON.parse("'.repeat(100_000)}`)],
  ['streamed data that never ends', () => script(`price ${'self.__next_f.push([1,"'.repeat(50_000)}`)],
  [
    'offers that lead back to each other',
    () => ld({ ...self, '@type': 'Product', name: 'Lever', offers: same(200, self), hasVariant: same(200, self) }),
  ],
  [
    'things that offer each other',
    () =>
      ld(
        times(150, (at) => ({
          '@id': `#${at}`,
          '@type': 'Offer',
          name: words(80),
          itemOffered: times(30, (other) => ({ '@id': `#${other}` })),
        })),
      ),
  ],
  [
    'things with many long names',
    () =>
      ld(
        times(150, () => ({ '@type': 'Product', name: same(200, { '@id': '#n' }) })).concat([
          { '@id': '#n', name: words(80) },
        ] as never),
      ),
  ],
  [
    'references in a row',
    () =>
      ld(
        times(5_000, (at) => ({
          '@id': `#${at}`,
          '@type': 'Product',
          isRelatedTo: { '@id': `#${at + 1}` },
          name: 'x',
        })),
      ),
  ],
  [
    'a state whose objects hold each other',
    () => {
      const list = [{ price: 9 }, { name: 2, a: 3, price: 3 }, 'Lever', same(1_000, 1)]
      return `<script type="application/json">${JSON.stringify(list)}</script>`
    },
  ],
  [
    'microdata that refers to itself',
    () =>
      `<div id="a" itemscope itemref="b b b b b b"></div><div id="b" itemprop="x" itemscope itemref="c c c c c c"></div>
       <div id="c" itemprop="x" itemscope itemref="b b b b b b">${'<i itemprop="y">1</i>'.repeat(400)}</div>`,
  ],
  [
    'microdata within microdata',
    () => `${'<div itemscope>'.repeat(200)}${'<i itemprop="name">1</i>'.repeat(400)}${'</div>'.repeat(200)}`,
  ],
  [
    'properties within each other',
    () =>
      `<div itemscope>${'<b itemprop="name">'.repeat(200)}${'many words '.repeat(10_000)}${'</b>'.repeat(200)}</div>`,
  ],
  [
    'struck elements within each other',
    () => `${'<del>'.repeat(60)}${'<i>many words</i> '.repeat(1_000)}${'</del>'.repeat(60)}`,
  ],
  ['a price of many digits', () => `<meta property="product:price:amount" content="${'١'.repeat(400_000)}">`],
]

describe('typed data', () => {
  it.each(WORST)('cost little with %s', (_, write) => {
    const page = new DOMParser().parseFromString(`<title>Lever</title>${write()}<h1>Lever</h1>`, 'text/html')
    expect(costOf(() => metadataOf(page))).toBeLessThan(100)
  })
})
