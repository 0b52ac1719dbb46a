// Selects the blocks of the content.
import type { Block, Layout } from './blocks'
import type { Features } from './block_features'

/** The weight of each feature. A feature without one counts nothing. */
export type Weights = Readonly<Record<string, number>>

/** The probability of each block to belong to the content. */
export function likelihoods(features: readonly Features[], weights: Weights): number[] {
  return features.map((features) => {
    let sum = weights['bias'] ?? 0
    for (const [name, value] of features) sum += (weights[name] ?? 0) * value
    return 1 / (1 + Math.exp(-sum))
  })
}

/**
 * Select the blocks with the highest expected F1 of selected and wanted words, and return that F1. If all blocks are
 * unlikely, the likeliest are kept.
 */
export function likeliestBlocks(
  blocks: readonly Block[],
  likely: readonly number[],
): { keeps: boolean[]; expectedScore: number } {
  const order = blocks.map((_, index) => index).sort((a, b) => (likely[b] ?? 0) - (likely[a] ?? 0))
  const words = (index: number) => blocks[index]?.words ?? 0
  const wantedWords = order.reduce((sum, index) => sum + words(index) * (likely[index] ?? 0), 0)
  let best = { count: 0, expected: 0 }
  let takenWords = 0
  let right = 0
  order.forEach((index, place) => {
    takenWords += words(index)
    right += words(index) * (likely[index] ?? 0)
    const expectedScore = (2 * right) / (takenWords + wantedWords || 1)
    if (expectedScore > best.expected) best = { count: place + 1, expected: expectedScore }
  })
  const keeps = blocks.map(() => false)
  order.slice(0, best.count).forEach((index) => (keeps[index] = true))
  return { keeps, expectedScore: best.expected }
}

/** Remove the other blocks from the document, and elements that are empty then. */
export function keepOnly({ blocks, boxes }: Layout, keeps: readonly boolean[]): void {
  const until = [0]
  for (const [index, block] of blocks.entries()) {
    until.push((until.at(-1) ?? 0) + (keeps[index] ? 1 : 0))
    if (!keeps[index]) block.nodes.forEach((node) => node.remove())
  }
  for (const { element, first, last, parent } of boxes) {
    if (parent && last > first && until[first] === until[last]) element.remove()
  }
}
