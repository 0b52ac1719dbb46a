// From the best extractor to the plainest. Each rung answers or says why it did not; nothing falls through in silence.
import { Readability } from '@mozilla/readability'
import Defuddle from 'defuddle'
import type { Page } from '../protocol.gen'
import { layoutOf, wordsOf } from './blocks/blocks'
import { keepOnly, kept, likelihoods } from './blocks/body_text'
import type { Mark } from './blocks/element_hints'
import { signsOf } from './blocks/block_features'
import { APART, type Work } from './slices'
import { textOf } from './blocks/text_of'
import { WEIGHTS } from './blocks/feature_weights'

export interface Main {
  element: Element
  text: string
  extracted_with: Page['extracted_with']
  /** Why each better rung did not answer. */
  fallbacks: string[]
}

interface Found {
  element: Element
  /** Another rung may know better. */
  isUnsure: boolean
}

type Name = Page['extracted_with']
type Rung = (seen: Document, url: string) => Work<Found | null>

const ENOUGH_CHARACTERS = 200
/** Of a short page, half of what can be seen is enough. */
const ENOUGH_SHARE = 0.5
const BESIDE = 'nav, aside, footer, header nav, [role="navigation"], [role="complementary"], [role="contentinfo"], [role="banner"]'
const AROUND: Mark[] = ['nav', 'header', 'footer', 'aside']
/**
 * Where the page's own text and Defuddle's are as alike as this (F1 of their words), Defuddle's is the better by a little; where they are not,
 * it has mostly left out half of the page.
 */
const ALIKE = 0.8
/** Defuddle works in one piece, and as long as all the rest: on larger pages what it adds is not worth its time. */
const MOST_ELEMENTS = 600
/**
 * Where the F1 that is to be expected of the own text is lower, and this share of the page's words stands in sentences, Defuddle's is better,
 * unless it is less than this share of the own text: then it took one part of the page for all of it.
 */
const SURE = 0.75
const PROSE = 0.4
const LEAST_SHARE = 0.2

const RUNGS: [Name, Rung][] = [
  ['heuristics', ownText],
  ['defuddle', withDefuddle],
  ['readability', withReadability],
]

/** Yields wherever it may be interrupted. */
export function* mainOf(seen: Document, url: string): Work<Main> {
  const fallbacks: string[] = []
  for (const [extracted_with, rung] of RUNGS) {
    const found = yield* tried(rung, seen, url)
    const text = isFound(found) ? textOf(found.element) : ''
    if (isFound(found) && isEnough(text, seen)) {
      const main = { element: found.element, text, extracted_with, fallbacks }
      return extracted_with === 'heuristics' ? yield* orDefuddles(main, found.isUnsure, seen, url) : main
    }
    fallbacks.push(`${extracted_with}: ${isFound(found) ? 'too little text' : (found ?? 'nothing found')}`)
  }
  const element = withTreeWalker(seen)
  return { element, text: textOf(element), extracted_with: 'treewalker', fallbacks }
}

/** Of two that say the same, Defuddle's; and Defuddle's where the own text may well be wrong. */
function* orDefuddles(own: Main, isUnsure: boolean, seen: Document, url: string): Work<Main> {
  if (!isUnsure && seen.getElementsByTagName('*').length > MOST_ELEMENTS) return own
  const found = yield* tried(withDefuddle, seen, url)
  if (!isFound(found)) return own
  const text = textOf(found.element)
  const isBetter = isUnsure ? isEnough(text, seen) && isMost(text, own.text) : likeness(text, own.text) >= ALIKE
  return isBetter ? { ...own, element: found.element, text, extracted_with: 'defuddle' } : own
}

function isMost(text: string, own: string): boolean {
  return wordsOf(text).length >= LEAST_SHARE * wordsOf(own).length
}

function isFound(found: Found | string | null): found is Found {
  return found !== null && typeof found !== 'string'
}

/** The F1 of their words. */
export function likeness(one: string, other: string): number {
  const counts = new Map<string, number>()
  const [ones, others] = [wordsOf(one), wordsOf(other)]
  for (const word of ones) counts.set(word, (counts.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of others) {
    const left = counts.get(word) ?? 0
    if (left > 0) shared++
    counts.set(word, left - 1)
  }
  return (2 * shared) / (ones.length + others.length || 1)
}

/** Returns what the rung found, or the words of its exception. */
function* tried(rung: Rung, seen: Document, url: string): Work<Found | string | null> {
  try {
    return yield* rung(copyOf(seen), url)
  } catch (failure) {
    return `failed (${failure instanceof Error ? failure.message : String(failure)})`
  }
}

function isEnough(text: string, seen: Document): boolean {
  return text.length >= ENOUGH_CHARACTERS || (text.length > 0 && text.length >= textOf(seen.body).length * ENOUGH_SHARE)
}

/** Extractors change the document that they are given. */
function copyOf(seen: Document): Document {
  return seen.cloneNode(true) as Document
}

function* ownText(seen: Document): Work<Found> {
  const layout = yield* layoutOf(seen.body)
  const signs = yield* signsOf(layout)
  const { keeps, expected } = kept(layout.blocks, likelihoods(signs, WEIGHTS))
  const title = layout.blocks.findIndex(({ box: { marks } }) => marks.has('h1') && !AROUND.some((mark) => marks.has(mark)))
  keepOnly(layout, title < 0 ? keeps : keeps.with(title, true)) // what is below it may mean little without
  return { element: seen.body, isUnsure: expected < SURE && (signs[0]?.get('page, sentences') ?? 0) >= PROSE }
}

function* withDefuddle(seen: Document, url: string): Work<Found> {
  yield APART
  const found = parsed(new Defuddle(seen, { url, useAsync: false }).parse().content)
  yield APART
  return found
}

function* withReadability(seen: Document): Work<Found | null> {
  yield APART
  const content = new Readability(seen).parse()?.content
  yield APART
  return content ? parsed(content) : null
}

/** All that can be seen but what stands beside the content; if that is all there is, everything. */
function withTreeWalker(seen: Document): Element {
  const copy = copyOf(seen)
  copy.querySelectorAll(BESIDE).forEach((element) => element.remove())
  return textOf(copy.body) ? copy.body : seen.body
}

/** Parsed, never shown: no script of it runs and nothing is loaded. */
function parsed(html: string): Found {
  return { element: new DOMParser().parseFromString(html, 'text/html').body, isUnsure: false }
}
