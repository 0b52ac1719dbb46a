// Features of words: those in tags, classes, ids and roles of the boxes around a block, and in the headings above it.
// Each word has a vote, learned from pages: how much more of what stands under it is content.
import type { Block, Box } from '../blocks/blocks'
import type { Headings } from './heading_features'
import type { Note } from './own_features'
import { chainOf } from './page_shape'

/** The vote of each word, by what it is a word of. */
export interface Votes {
  names: ReadonlyMap<string, number>
  headings: ReadonlyMap<string, number>
}

/** Which words a block has, by group. A word of several boxes is there for each of them. */
export interface BlockWords {
  own: string[]
  near: string[]
  all: string[]
  headings: string[]
}

/** The votes of some words. */
interface Tally {
  least: number
  most: number
  sum: number
  count: number
}

type TallyNames = { [part in 'least' | 'most' | 'mean' | 'sum']: string }

const NAMES = Object.fromEntries(
  (['own', 'near', 'all', 'headings'] satisfies (keyof BlockWords)[]).map((group) => [
    group,
    {
      least: `${group} words, least`,
      most: `${group} words, most`,
      mean: `${group} words, mean`,
      sum: `${group} words, sum`,
    },
  ]),
) as { [group in keyof BlockWords]: TallyNames }
const NO_VOTES: Tally = { least: Infinity, most: -Infinity, sum: 0, count: 0 }
const HEADING_WORDS = 10
const HEADINGS_MOST = 3
const NEAR_BOXES = 3
const SUM_MOST = 30
const NAME_CHARACTERS = 400
const NAMES_MOST = 24
/** Words of names, also the parts of camelCase. */
const PART = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g

/**
 * Names of boxes, once for each: a page has few, and many elements share them. Names that are not wanted are left out.
 */
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

/** The words of a block, for fitting the votes. */
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
  const namesIn = (boxes: readonly Box[]) => boxes.flatMap((box) => names.of(box))
  return {
    own: namesIn(chain.slice(0, outer + 1)),
    near: namesIn(chain.slice(outer + 1, outer + 1 + NEAR_BOXES)),
    all: namesIn(chain),
    headings: headingWords(blocks, under[index] ?? []),
  }
}

function headingWords(blocks: readonly Block[], above: readonly number[]): string[] {
  const headings = above.slice(-HEADINGS_MOST)
  return [...new Set(headings.flatMap((heading) => blocks[heading]?.wordList.slice(0, HEADING_WORDS) ?? []))]
}

/** Notes what the votes say of the words of a block. Blocks share boxes and headings: each is counted once. */
export class WordNotes {
  readonly #blocks: readonly Block[]
  readonly #votes: Votes
  readonly #names: BoxNames
  readonly #ofBox = new Map<Box, Tally>()
  readonly #around = new Map<Box, Tally>()
  readonly #ofHeadings = new Map<readonly number[], Tally>()

  constructor(blocks: readonly Block[], votes: Votes) {
    this.#blocks = blocks
    this.#votes = votes
    this.#names = new BoxNames((name) => votes.names.has(name))
  }

  note(index: number, { under }: Headings, note: Note): void {
    const block = this.#blocks[index]
    if (!block) return
    let own = NO_VOTES
    let box: Box | null = block.inner
    for (; box && box !== block.box; box = box.parent) own = together(own, this.#tallyOf(box))
    noteTally(NAMES.own, together(own, this.#tallyOf(block.box)), note)
    let near = NO_VOTES
    box = block.box.parent
    for (let level = 0; box && level < NEAR_BOXES; level++, box = box.parent) near = together(near, this.#tallyOf(box))
    noteTally(NAMES.near, near, note)
    noteTally(NAMES.all, this.#tallyAround(block.inner), note)
    noteTally(NAMES.headings, this.#tallyUnder(under[index] ?? []), note)
  }

  #tallyOf(box: Box): Tally {
    return computeOnce(this.#ofBox, box, () => tally(this.#names.of(box), this.#votes.names))
  }

  /** Of a box and of all around it. */
  #tallyAround(box: Box): Tally {
    const { parent } = box
    if (!parent) return this.#tallyOf(box)
    return computeOnce(this.#around, box, () => together(this.#tallyOf(box), this.#tallyAround(parent)))
  }

  #tallyUnder(above: readonly number[]): Tally {
    return computeOnce(this.#ofHeadings, above, () => tally(headingWords(this.#blocks, above), this.#votes.headings))
  }
}

function computeOnce<Key, Value>(values: Map<Key, Value>, key: Key, make: () => Value): Value {
  const earlier = values.get(key)
  if (earlier) return earlier
  const value = make()
  values.set(key, value)
  return value
}

function tally(words: readonly string[], votes: ReadonlyMap<string, number>): Tally {
  let { least, most, sum, count } = NO_VOTES
  for (const word of words) {
    const vote = votes.get(word)
    if (vote === undefined) continue
    least = Math.min(least, vote)
    most = Math.max(most, vote)
    sum += vote
    count++
  }
  return count === 0 ? NO_VOTES : { least, most, sum, count }
}

function together(one: Tally, other: Tally): Tally {
  if (one.count === 0) return other
  if (other.count === 0) return one
  return {
    least: Math.min(one.least, other.least),
    most: Math.max(one.most, other.most),
    sum: one.sum + other.sum,
    count: one.count + other.count,
  }
}

function noteTally(names: TallyNames, votes: Tally, note: Note): void {
  if (votes.count === 0) return
  note(names.least, votes.least)
  note(names.most, votes.most)
  note(names.mean, votes.sum / votes.count)
  note(names.sum, Math.max(-SUM_MOST, Math.min(SUM_MOST, votes.sum)))
}
