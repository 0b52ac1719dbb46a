// Extractors in fallback order, from the best to the plainest. Each returns a result or the reason why it has none.
import { Readability } from '@mozilla/readability'
import Defuddle from 'defuddle'
import type { Page } from '../protocol.gen'
import { layoutOf, wordsOf } from './blocks/blocks'
import { keepOnly, likeliestBlocks, likelihoods } from './blocks/body_text'
import type { Hint } from './blocks/element_hints'
import { featuresOf } from './blocks/block_features'
import { APART, type Work } from './slices'
import { textOf } from './blocks/text_of'
import { WEIGHTS } from './blocks/feature_weights'

export interface Main {
  element: Element
  text: string
  extracted_with: Page['extracted_with']
  /** Why each better extractor gave no result. */
  fallbacks: string[]
}

interface Extracted {
  element: Element
  /** Another extractor may be better. */
  isUnsure: boolean
}

type Name = Page['extracted_with']
type Extractor = (visible: Document, url: string) => Work<Extracted | null>

const ENOUGH_CHARACTERS = 200
/** Of a short page, half of the visible text is enough. */
const ENOUGH_SHARE = 0.5
const OUTSIDE_CONTENT =
  'nav, aside, footer, header nav, [role="navigation"], [role="complementary"], [role="contentinfo"], [role="banner"]'
const AROUND: Hint[] = ['nav', 'header', 'footer', 'aside']
/**
 * If the own text and Defuddle's are as similar as this (F1 of their words), Defuddle's is slightly better. If not, it
 * has mostly left out half of the page.
 */
const ALIKE = 0.8
/**
 * Defuddle cannot be interrupted, and takes as long as everything else. On larger pages its gain is not worth the time.
 */
const MOST_ELEMENTS = 600
/**
 * Defuddle's text is better if the expected F1 of the own text is below SURE and at least PROSE of the words stand in
 * sentences. An exception is a text of less than this share of the own text: then Defuddle took one part of the page
 * for all of it.
 */
const SURE = 0.75
const PROSE = 0.4
const LEAST_SHARE = 0.2

const EXTRACTORS: [Name, Extractor][] = [
  ['heuristics', ownText],
  ['defuddle', withDefuddle],
  ['readability', withReadability],
]

/** Yields wherever it may be interrupted. */
export function* mainOf(visible: Document, url: string): Work<Main> {
  const fallbacks: string[] = []
  for (const [extracted_with, extractor] of EXTRACTORS) {
    const result = yield* tryExtractor(extractor, visible, url)
    const text = hasText(result) ? textOf(result.element) : ''
    if (hasText(result) && isEnough(text, visible)) {
      const main = { element: result.element, text, extracted_with, fallbacks }
      return extracted_with === 'heuristics' ? yield* orDefuddles(main, result.isUnsure, visible, url) : main
    }
    fallbacks.push(`${extracted_with}: ${hasText(result) ? 'too little text' : (result ?? 'nothing found')}`)
  }
  const element = withTreeWalker(visible)
  return { element, text: textOf(element), extracted_with: 'treewalker', fallbacks }
}

/** Prefer Defuddle's text if both are similar, or if the own text is unsure. */
function* orDefuddles(own: Main, isUnsure: boolean, visible: Document, url: string): Work<Main> {
  if (!isUnsure && visible.getElementsByTagName('*').length > MOST_ELEMENTS) return own
  const other = yield* tryExtractor(withDefuddle, visible, url)
  if (!hasText(other)) return own
  const text = textOf(other.element)
  const isBetter = isUnsure ? isEnough(text, visible) && isMost(text, own.text) : likeness(text, own.text) >= ALIKE
  return isBetter ? { ...own, element: other.element, text, extracted_with: 'defuddle' } : own
}

function isMost(text: string, own: string): boolean {
  return wordsOf(text).length >= LEAST_SHARE * wordsOf(own).length
}

function hasText(result: Extracted | string | null): result is Extracted {
  return result !== null && typeof result !== 'string'
}

/** The F1 of their words. */
export function likeness(one: string, other: string): number {
  const counts = new Map<string, number>()
  const [ones, others] = [wordsOf(one), wordsOf(other)]
  for (const word of ones) counts.set(word, (counts.get(word) ?? 0) + 1)
  let common = 0
  for (const word of others) {
    const remaining = counts.get(word) ?? 0
    if (remaining > 0) common++
    counts.set(word, remaining - 1)
  }
  return (2 * common) / (ones.length + others.length || 1)
}

/** Return the result of the extractor, or the message of its exception. */
function* tryExtractor(extractor: Extractor, visible: Document, url: string): Work<Extracted | string | null> {
  try {
    return yield* extractor(copyOf(visible), url)
  } catch (failure) {
    return `failed (${failure instanceof Error ? failure.message : String(failure)})`
  }
}

function isEnough(text: string, visible: Document): boolean {
  return (
    text.length >= ENOUGH_CHARACTERS || (text.length > 0 && text.length >= textOf(visible.body).length * ENOUGH_SHARE)
  )
}

/** Extractors change their document. */
function copyOf(visible: Document): Document {
  return visible.cloneNode(true) as Document
}

function* ownText(visible: Document): Work<Extracted> {
  const layout = yield* layoutOf(visible.body)
  const features = yield* featuresOf(layout)
  const { keeps, expectedScore } = likeliestBlocks(layout.blocks, likelihoods(features, WEIGHTS))
  const title = layout.blocks.findIndex(
    ({ box: { hints } }) => hints.has('h1') && !AROUND.some((hint) => hints.has(hint)),
  )
  keepOnly(layout, title < 0 ? keeps : keeps.with(title, true)) // the text below a title may mean little without it
  return {
    element: visible.body,
    isUnsure: expectedScore < SURE && (features[0]?.get('page, sentences') ?? 0) >= PROSE,
  }
}

function* withDefuddle(visible: Document, url: string): Work<Extracted> {
  yield APART
  const main = parseHtml(new Defuddle(visible, { url, useAsync: false }).parse().content)
  yield APART
  return main
}

function* withReadability(visible: Document): Work<Extracted | null> {
  yield APART
  const content = new Readability(visible).parse()?.content
  yield APART
  return content ? parseHtml(content) : null
}

/** All visible text outside of navigation and the like. If nothing else is visible, everything. */
function withTreeWalker(visible: Document): Element {
  const copy = copyOf(visible)
  copy.querySelectorAll(OUTSIDE_CONTENT).forEach((element) => element.remove())
  return textOf(copy.body) ? copy.body : visible.body
}

/** The HTML is parsed, never shown: no script runs and nothing is loaded. */
function parseHtml(html: string): Extracted {
  return { element: new DOMParser().parseFromString(html, 'text/html').body, isUnsure: false }
}
