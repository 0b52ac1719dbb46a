// From the best extractor to the plainest. Each rung answers or says why it did not; nothing falls through in silence.
import { Readability } from '@mozilla/readability'
import Defuddle from 'defuddle'
import type { Page } from '../protocol.gen'
import { textOf } from './text_of'

export interface Main {
  element: Element
  text: string
  extracted_with: Page['extracted_with']
  /** Why each better rung did not answer. */
  fallbacks: string[]
}

type Rung = (seen: Document, url: string) => Element | null

const ENOUGH_CHARACTERS = 200
/** Of a short page, half of what can be seen is enough. */
const ENOUGH_SHARE = 0.5
const BESIDE = 'nav, aside, footer, header nav, [role="navigation"], [role="complementary"], [role="contentinfo"], [role="banner"]'
const MAIN = ['main', 'article', '[role="main"]', '#content', '#main', '.content', '.post', '.article']

const RUNGS: [Page['extracted_with'], Rung][] = [
  ['defuddle', withDefuddle],
  ['readability', withReadability],
  ['heuristics', withHeuristics],
]

export function mainOf(seen: Document, url: string): Main {
  const whole = textOf(seen.body)
  const fallbacks: string[] = []
  for (const [extracted_with, rung] of RUNGS) {
    const found = tried(rung, seen, url)
    if (found instanceof Element && isEnough(textOf(found), whole)) {
      return { element: found, text: textOf(found), extracted_with, fallbacks }
    }
    fallbacks.push(`${extracted_with}: ${found instanceof Element ? 'too little text' : (found ?? 'nothing found')}`)
  }
  const element = withTreeWalker(seen)
  return { element, text: textOf(element), extracted_with: 'treewalker', fallbacks }
}

/** Returns what the rung found, or the words of its exception. */
function tried(rung: Rung, seen: Document, url: string): Element | string | null {
  try {
    return rung(copyOf(seen), url)
  } catch (failure) {
    return `failed (${failure instanceof Error ? failure.message : String(failure)})`
  }
}

function isEnough(text: string, whole: string): boolean {
  return text.length > 0 && text.length >= Math.min(ENOUGH_CHARACTERS, whole.length * ENOUGH_SHARE)
}

/** Extractors change the document that they are given. */
function copyOf(seen: Document): Document {
  return seen.cloneNode(true) as Document
}

function withDefuddle(seen: Document, url: string): Element {
  return parsed(new Defuddle(seen, { url, useAsync: false }).parse().content)
}

function withReadability(seen: Document): Element | null {
  const content = new Readability(seen).parse()?.content
  return content ? parsed(content) : null
}

function withHeuristics(seen: Document): Element | null {
  const candidates = MAIN.flatMap((selector) => [...seen.querySelectorAll(selector)])
  const longest = Math.max(0, ...candidates.map((element) => textOf(element).length))
  return candidates.find((element) => textOf(element).length === longest) ?? null
}

/** All that can be seen but what stands beside the content; if that is all there is, everything. */
function withTreeWalker(seen: Document): Element {
  const copy = copyOf(seen)
  copy.querySelectorAll(BESIDE).forEach((element) => element.remove())
  return textOf(copy.body) ? copy.body : seen.body
}

/** Parsed, never shown: no script of it runs and nothing is loaded. */
function parsed(html: string): Element {
  return new DOMParser().parseFromString(html, 'text/html').body
}
