// The learned choice of blocks: trees and votes of words, fitted to pages whose content people had marked
// (`python -m tests.bench.reading.fit`). model.json is written there.
import MODEL from './model.json'
import { likelihoodBy } from './trees'
import type { Votes } from './word_features'

const VOTES_OF_ONE = 10

export const FEATURES: readonly string[] = MODEL.features

export const VOTES: Votes = {
  names: votesIn(MODEL.votes.names),
  headings: votesIn(MODEL.votes.headings),
}

/** The likelihood of a block to belong to the content, by its row of features. */
export const likelihoodOf = likelihoodBy(MODEL)

/** Words are stored below their vote, in tenths. */
function votesIn(words: Readonly<Record<string, string>>): Map<string, number> {
  return new Map(
    Object.entries(words).flatMap(([tenths, list]) =>
      list.split(' ').map((word) => [word, Number(tenths) / VOTES_OF_ONE] as const),
    ),
  )
}
