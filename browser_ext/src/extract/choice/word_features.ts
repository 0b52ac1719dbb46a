// Features of words: those in tags, classes, ids and roles of the boxes around a block, and in the headings above it. Each
// word has a vote, learned from pages: how much more of what stands under it is content.
import type { Block, Box } from '../blocks/blocks'
import type { Headings } from './heading_features'
import type { Note } from './own_features'
import { chainOf } from './page_shape'

/** The vote of each word, by what it is a word of. */
export interface Votes {
  names: ReadonlyMap<string, number>
  headings: ReadonlyMap<string, number>
}

/** Which words a block has, by group. */
export interface BlockWords {
  own: string[]
  near: string[]
  all: string[]
  headings: string[]
}

const GROUPS = Object.entries({
  own: 'names',
  near: 'names',
  all: 'names',
  headings: 'headings',
} satisfies { [group in keyof BlockWords]: keyof Votes }).map(([group, family]) => ({
  group: group as keyof BlockWords,
  family,
  least: `${group} words, least`,
  most: `${group} words, most`,
  mean: `${group} words, mean`,
  sum: `${group} words, sum`,
}))
const HEADING_WORDS = 10
const HEADINGS_MOST = 3
const NEAR_BOXES = 3
const SUM_MOST = 30
const NAME_CHARACTERS = 400
const NAMES_MOST = 24
/** Words of names, also the parts of camelCase. */
const PART = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g

/** Names of boxes, once for each: a page has few, and many elements share them. Names that are not wanted are left out. */
export class BoxNames {
  readonly #wants: (name: string) => boolean
  readonly #namesOfKey = new Map<string, string[]>()
  readonly #ofBox = new Map<Box, string[]>()

  constructor(wants: (name: string) => boolean = () => true) {
    this.#wants = wants
  }

  of(box: Box): string[] {
    const earlier = this.#ofBox.get(box)
    if (earlier) return earlier
    const names = this.#namesOf(box.element)
    this.#ofBox.set(box, names)
    return names
  }

  #namesOf(element: Element): string[] {
    const tag = element.getAttribute('is') ?? element.localName
    const attributes = ['role', 'itemprop', 'itemtype'].map((name) => element.getAttribute(name) ?? '')
    const key = [tag, element.className, element.id, ...attributes].join('\n')
    const earlier = this.#namesOfKey.get(key)
    if (earlier) return earlier
    const parts = `${element.className} ${element.id}`.slice(0, NAME_CHARACTERS).match(PART) ?? []
    const words = parts.map((part) => part.toLowerCase()).filter(({ length }) => length >= 2 && length <= 18)
    const marked = attributes.flatMap((value, index) => (value === '' ? [] : [`${index}=${lastPart(value)}`]))
    const names = [...new Set([`<${tag.slice(0, 30)}>`, ...words.slice(0, NAMES_MOST), ...marked])].filter(this.#wants)
    this.#namesOfKey.set(key, names)
    return names
  }
}

function lastPart(value: string): string {
  return (value.toLowerCase().split('/').at(-1) ?? '').replace(/\s.*/s, '').slice(0, 40)
}

export function wordsOfBlock(
  blocks: readonly Block[],
  index: number,
  names: BoxNames,
  { under }: Headings,
): BlockWords {
  const block = blocks[index]
  if (!block) return { own: [], near: [], all: [], headings: [] }
  const chain = chainOf(block.inner)
  const outer = chain.indexOf(block.box)
  const namesIn = (boxes: readonly Box[]) => [...new Set(boxes.flatMap((box) => names.of(box)))]
  const above = (under[index] ?? []).slice(-HEADINGS_MOST)
  return {
    own: namesIn(chain.slice(0, outer + 1)),
    near: namesIn(chain.slice(outer + 1, outer + 1 + NEAR_BOXES)),
    all: namesIn(chain),
    headings: [...new Set(above.flatMap((heading) => blocks[heading]?.wordList.slice(0, HEADING_WORDS) ?? []))],
  }
}

export function noteWords(words: BlockWords, votes: Votes, note: Note): void {
  for (const names of GROUPS) {
    let [least, most, sum, count] = [Infinity, -Infinity, 0, 0]
    for (const word of words[names.group]) {
      const vote = votes[names.family].get(word)
      if (vote === undefined) continue
      least = Math.min(least, vote)
      most = Math.max(most, vote)
      sum += vote
      count++
    }
    if (count === 0) continue
    note(names.least, least)
    note(names.most, most)
    note(names.mean, sum / count)
    note(names.sum, Math.max(-SUM_MOST, Math.min(SUM_MOST, sum)))
  }
}
