// Features of a block's own text, and of the page.
import type { PageShape } from './page_shape'

/** Takes the value of a feature. What is not noted is 0. */
export type Note = (name: string, value: number) => void

const DATE =
  /\b(?:19|20)\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\bago\b/i
const PRICE = /[$€£¥]\s?\d|\d\s?[€£]/
const ADDRESS = /@\w|\bhttps?:\/\/|www\./
const PHONE = /\+?\d[\d\s().-]{7,}\d/
const COUNTED = ['ARTICLE', 'TIME', 'LI', 'P', 'PRE', 'TABLE', 'FORM', 'H2', 'H3'] as const
const PAGE_COUNTS = COUNTED.map((tag) => [tag, `page, ${tag.toLowerCase()}`] as const)
const QUARTERS = [0, 1, 2, 3].map((quarter) => ({
  quarter,
  sentences: `page, sentences of quarter ${quarter}`,
  linked: `page, linked of quarter ${quarter}`,
}))

export function noteText({ blocks, copies, levels, title }: PageShape, index: number, note: Note): void {
  const block = blocks[index]
  if (!block) return
  const { text, wordList, words, linkShare, isSentence } = block
  const characters = Math.max(1, text.length)
  const count = Math.max(1, wordList.length)
  const own = new Set(wordList)
  const { count: times, first } = copies.get(text) ?? { count: 1, first: index }
  const end = text.at(-1) ?? ''
  note('words', Math.log1p(words))
  note('characters of a word', characters / count)
  note('linked', linkShare)
  note('sentence', Number(isSentence))
  note('sentences', Math.log1p(matches(text, /[.!?。！？؟।](?=[\s\p{Lo}])/gu)))
  note('digits', matches(text, /\d/g) / characters)
  note('capitals', matches(text, /\p{Lu}/gu) / characters)
  note('punctuation', matches(text, /[.,;:!?()]/g) / characters)
  note('ends', Number(/[.!?:。！？؟।]/.test(end)))
  note('ends with a colon', Number(end === ':' || end === '：'))
  note('date', Number(DATE.test(text.slice(0, 200))))
  note('price', Number(PRICE.test(text.slice(0, 300))))
  note('address', Number(ADDRESS.test(text.slice(0, 300))))
  note('phone', Number(PHONE.test(text.slice(0, 200))))
  note('copyright', Number(text.includes('©')))
  note('level', levels[index] ?? 0)
  note('copies', Math.log1p(times))
  note('said before', Number(first !== index))
  note('different words', own.size / count)
  note('in the title', sharedWith(own, title))
  note('like the title', likeTitle(own, title))
}

/** The share of its words that the title of the page has. */
function sharedWith(words: ReadonlySet<string>, title: ReadonlySet<string>): number {
  return words.size > 0 ? sharedCount(words, title) / words.size : 0
}

export function likeTitle(words: ReadonlySet<string>, title: ReadonlySet<string>): number {
  return sharedWith(words, title) * Math.min(1, (2 * sharedCount(words, title)) / Math.max(1, title.size))
}

function sharedCount(words: ReadonlySet<string>, title: ReadonlySet<string>): number {
  let count = 0
  for (const word of words) if (title.has(word)) count++
  return count
}

export function notePage(
  { blocks, words, prose, linked, total, isLong, core, coreWords, elements }: PageShape,
  note: Note,
): void {
  const all = blocks.length
  note('page, sentences', (prose[all] ?? 0) / total)
  note('page, linked', (linked[all] ?? 0) / total)
  note('page, words', Math.log1p(total))
  note('page, blocks', Math.log1p(all))
  note('page, long sentences', blocks.reduce((sum, block, index) => sum + (isLong[index] ? block.words : 0), 0) / total)
  note('page, longest', Math.log1p(blocks.reduce((most, block) => Math.max(most, block.words), 0)))
  note('page, words of a block', Math.log1p(total / Math.max(1, all)))
  note('page, share of the core', core ? core.words / total : 0)
  note('page, sentences of the core', coreWords / total)
  for (const [tag, name] of PAGE_COUNTS) note(name, Math.log1p(elements.get(tag) ?? 0))
  for (const { quarter, sentences, linked: linkedName } of QUARTERS) {
    const first = Math.floor((all * quarter) / 4)
    const last = Math.min(all, Math.max(first + 1, Math.floor((all * (quarter + 1)) / 4)))
    const share = Math.max(1, between(words, first, last))
    note(sentences, between(prose, first, last) / share)
    note(linkedName, between(linked, first, last) / share)
  }
}

/** The sum over the blocks from `first` up to, not including, `last`. */
export function between(sums: Float64Array, first: number, last: number): number {
  return (sums[last] ?? 0) - (sums[first] ?? 0)
}

/** The number of characters that match. */
function matches(text: string, pattern: RegExp): number {
  return text.length - text.replace(pattern, '').length
}
