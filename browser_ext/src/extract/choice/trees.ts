// Evaluates boosted trees. Each tree is a run of bytes: a feature and a threshold, the tree for values up to it, the
// tree for the others; or LEAF and the leaf's value.

export interface Trees {
  /** Names of the features, in the order of a row. */
  features: readonly string[]
  /** Of each feature, its thresholds. */
  thresholds: readonly (readonly number[])[]
  /** In base64. */
  nodes: string
  /** What a leaf's byte, from -128 to 127, is multiplied with. */
  leafStep: number
  bias: number
}

const LEAF = 255
/** Places for the thresholds of one feature: a byte names one. */
const LIMITS = 256

/** Return a function that gives a row of features its likelihood. */
export function likelihoodBy({ thresholds, nodes, leafStep, bias }: Trees): (row: Float32Array) => number {
  const letters = atob(nodes)
  const bytes = new Uint8Array(letters.length)
  for (let at = 0; at < bytes.length; at++) bytes[at] = letters.charCodeAt(at)
  const after = endsOf(bytes)
  const limits = new Float64Array(thresholds.length * LIMITS)
  thresholds.forEach((values, feature) => limits.set(values, feature * LIMITS))
  const starts: number[] = []
  for (let at = 0; at < bytes.length; at = after[at] ?? bytes.length) starts.push(at)
  const leafAt = (start: number, row: Float32Array): number => {
    let at = start
    for (let feature = bytes[at] ?? LEAF; feature !== LEAF; feature = bytes[at] ?? LEAF) {
      const limit = limits[feature * LIMITS + (bytes[at + 1] ?? 0)] ?? 0
      at = (row[feature] ?? 0) <= limit ? at + 2 : (after[at + 2] ?? bytes.length)
    }
    return ((bytes[at + 1] ?? 0) << 24) >> 24
  }
  return (row) => {
    let sum = 0
    for (const start of starts) sum += leafAt(start, row)
    return 1 / (1 + Math.exp(-(bias + sum * leafStep)))
  }
}

/** Where the tree ends that begins at each place. */
function endsOf(bytes: Uint8Array): Int32Array {
  const ends = new Int32Array(bytes.length)
  // from the back: a branch ends where the second of its trees ends
  for (let at = bytes.length - 2; at >= 0; at -= 2) {
    const first = at + 2
    ends[at] = bytes[at] === LEAF ? first : (ends[ends[first] ?? 0] ?? 0)
  }
  return ends
}
