// Extractors in fallback order, from the best to the plainest. Each returns a result or the reason why it has none.
import type { Page } from '../protocol.gen'
import { hasWords, layoutOf } from './blocks/blocks'
import { textOf } from './blocks/text_of'
import { rowsOf } from './choice/features'
import { keepOnly, likeliestBlocks } from './choice/likeliest_blocks'
import { FEATURES, likelihoodOf, VOTES } from './choice/model'
import { loadedDefuddle } from './defuddle'
import { numberItems } from './form/page_form'
import { APART, type Work } from './slices'

export interface Main {
  element: Element
  text: string
  extracted_with: Page['extracted_with']
  /** Why each better extractor gave no result. */
  fallbacks: string[]
}

type Name = Page['extracted_with']
type Extractor = (visible: Document, url: string) => Work<Element | null>

const ENOUGH_WORDS = 30
/** Yield only after so many blocks: a pause takes time too. */
const PAUSE = 8
/** No page for people has more; then all of it is read. */
const BLOCKS_MOST = 20_000
/** Of a short page, half of the visible text is enough. */
const ENOUGH_SHARE = 0.5
const OUTSIDE_CONTENT =
  'nav, aside, footer, header nav, [role="navigation"], [role="complementary"], [role="contentinfo"], [role="banner"]'

const EXTRACTORS: [Name, Extractor][] = [
  ['heuristics', chosenBlocks],
  ['defuddle', withDefuddle],
]

/** Yields wherever it may be interrupted. */
export function* mainOf(visible: Document, url: string): Work<Main> {
  const fallbacks: string[] = []
  for (const [extracted_with, extractor] of EXTRACTORS) {
    const element = yield* tryExtractor(extractor, visible, url)
    const text = isElement(element) ? textOf(element) : ''
    if (isElement(element) && isEnough(text, visible)) return { element, text, extracted_with, fallbacks }
    fallbacks.push(`${extracted_with}: ${isElement(element) ? 'too little text' : (element ?? 'nothing found')}`)
  }
  const element = withTreeWalker(visible)
  return { element, text: textOf(element), extracted_with: 'treewalker', fallbacks }
}

function isElement(result: Element | string | null): result is Element {
  return result !== null && typeof result !== 'string'
}

/** Return the result of the extractor, or the message of its exception. */
function* tryExtractor(extractor: Extractor, visible: Document, url: string): Work<Element | string | null> {
  try {
    return yield* extractor(copyOf(visible), url)
  } catch (failure) {
    return `failed (${failure instanceof Error ? failure.message : String(failure)})`
  }
}

function isEnough(text: string, visible: Document): boolean {
  return hasWords(text, ENOUGH_WORDS) || (text.length > 0 && text.length >= textOf(visible.body).length * ENOUGH_SHARE)
}

/** Extractors change their document. */
function copyOf(visible: Document): Document {
  return visible.cloneNode(true) as Document
}

function* chosenBlocks(visible: Document): Work<Element> {
  const layout = yield* layoutOf(visible.body)
  if (layout.blocks.length > BLOCKS_MOST) throw new Error('more blocks than can be chosen from')
  const rows = yield* rowsOf(layout, visible.title, FEATURES, VOTES)
  const likely: number[] = []
  for (const [index, row] of rows.entries()) {
    likely.push(likelihoodOf(row))
    if (index % PAUSE === 0) yield
  }
  numberItems(visible.body)
  keepOnly(layout, likeliestBlocks(layout, likely))
  return visible.body
}

/** Nothing where its script was not loaded: the ordinary reading of a page does without. */
function* withDefuddle(visible: Document, url: string): Work<Element | null> {
  const defuddle = loadedDefuddle()
  if (!defuddle) return null
  yield APART
  const html = defuddle(visible, url)
  yield APART
  return new DOMParser().parseFromString(html, 'text/html').body // parsed, never shown: no script runs, nothing is loaded
}

/** All visible text outside of navigation and the like. If nothing else is visible, everything. */
function withTreeWalker(visible: Document): Element {
  const copy = copyOf(visible)
  copy.querySelectorAll(OUTSIDE_CONTENT).forEach((element) => element.remove())
  return textOf(copy.body) ? copy.body : visible.body
}
