import { describe, expect, it } from 'vitest'
import EXAMPLES from './model_examples.json'
import { FEATURES, likelihoodOf } from './model'
import { likelihoodBy } from './trees'

const base64 = (...bytes: number[]) => btoa(String.fromCharCode(...bytes))

describe('trees', () => {
  it('go left up to a threshold, and add their leaves', () => {
    const nodes = base64(0, 0, 255, 1, 1, 1, 255, 2, 255, 0xfc, /* a second tree */ 255, 1)
    const trees = { features: ['a', 'b'], thresholds: [[0.5], [9, 3]], nodes, leafStep: 0.5, bias: 1 }
    const sums = [
      [0.5, 9],
      [1, 3],
      [1, 4],
    ].map((row) => Math.log(1 / likelihoodBy(trees)(Float32Array.from(row)) - 1))
    expect(sums.map((sum) => Math.round(-sum * 100) / 100)).toEqual([2, 2.5, -0.5])
  })

  it('without a node say how much is content in all', () => {
    expect(likelihoodBy({ features: [], thresholds: [], nodes: '', leafStep: 1, bias: 0 })(new Float32Array())).toBe(
      0.5,
    )
  })

  it('say of the model what the fit says', () => {
    const likely = EXAMPLES.rows.map((row) => likelihoodOf(Float32Array.from(row)))
    likely.forEach((value, index) => expect(value).toBeCloseTo(EXAMPLES.likely[index] ?? NaN, 4))
    expect(EXAMPLES.rows[0]).toHaveLength(FEATURES.length)
  })
})
