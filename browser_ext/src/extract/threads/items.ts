// The items of a page, and what in each of them tells author, time, score, depth and words.
import { alternatives, type Platform } from './platforms'
import { lineOf } from './short_line'

/** The bodies are elements of the page. */
export interface Item {
  author: string
  when: string
  score: string
  depth: number
  body?: Element
  link?: Element
}

/** In the order of the page. */
export function itemsOf(page: Document, platform: Platform): Item[] {
  const [, author, when, body, { score, level, link } = {}] = platform
  const owners = ownersOf(page, platform)
  const tell = (selectors: string | undefined, into: (item: Item, element: Element) => unknown) => {
    for (const selector of alternatives(selectors))
      for (const element of page.querySelectorAll(selector)) {
        const item = owners.get(element)
        if (item) into(item, element)
      }
  }
  tell(author, (item, element) => (item.author ||= lineOf(element, true)))
  tell(`${when};[datetime]`, (item, element) => (item.when ||= timeOf(element)))
  tell(score, (item, element) => (item.score ||= element.getAttribute('score') ?? lineOf(element)))
  tell(level, (item, element) => (item.depth = Math.abs(Number(element.getAttribute('indent')))))
  tell(body, (item, element) => (item.body ??= element))
  tell(link, (item, element) => (item.link ??= element))
  return [...new Set(owners.values())].filter((item) => item !== null)
}

/** The innermost item of each element. */
function ownersOf(page: Document, [selector, , , , { nest, isFlat } = {}]: Platform): Map<Element, Item | null> {
  const items = new Set(page.querySelectorAll(selector))
  const deeper = new Set(nest ? page.querySelectorAll(nest) : null)
  const owners = new Map<Element, Item | null>()
  const depths = new Map<Element, number>()
  for (const element of page.querySelectorAll('*')) {
    const parent = element.parentElement ?? element
    const outer = owners.get(parent) ?? null
    const depth = (depths.get(parent) ?? 0) + Number(deeper.has(element))
    depths.set(element, depth)
    const isItem = items.has(element) && !((isFlat ?? !nest) && outer)
    owners.set(element, isItem ? { author: '', when: '', score: '', depth } : outer)
  }
  return owners
}

/** Behind the name of the author, where both are in one line. */
function timeOf(element: Element): string {
  const line = lineOf(element)
  return line.slice(line.lastIndexOf('»') + 1).trim() || (element.getAttribute('datetime') ?? '')
}
