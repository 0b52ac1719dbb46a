// What a function costs, in a measure that a slow or busy machine does not change.

const THOUSAND_ELEMENTS = '<p>Some words stand here, in a sentence.</p>'.repeat(1_000)

function msOf(run: () => unknown): number {
  const began = performance.now()
  run()
  return performance.now() - began
}

/** Return how many times as long a function takes as jsdom takes to parse a thousand elements. */
export function costOf(run: () => unknown): number {
  const parse = () => new DOMParser().parseFromString(THOUSAND_ELEMENTS, 'text/html')
  parse()
  const before = msOf(parse)
  const cost = msOf(run)
  return cost / Math.max(before, msOf(parse))
}
