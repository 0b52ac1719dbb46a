// A thread as nested lists, so that the page form shows who wrote what, and in answer to what.
import { textOf } from '../blocks/text_of'
import { oneLine } from '../plain_text'
import type { Post } from './posts'
import type { Thread } from './thread'

const LINE_CHARACTERS = 200
const APART = ' · '
/** With less of it among the content, the posts are beside another text. */
const LEAST_SHARE = 0.6

/** Return the title and an item for each post: a line with author, time and score, the words, the answers. */
export function threadList({ title, posts }: Thread, page: Document): Element {
  const thread = page.createElement('div')
  if (title) thread.append(title.cloneNode(true))
  const lists: Element[] = []
  for (const post of posts) {
    const depth = Math.min(post.depth, lists.length)
    lists.length = Math.min(lists.length, depth + 1)
    if (lists.length <= depth) lists.push(listIn(lists.at(-1)?.lastElementChild ?? thread))
    lists[depth]?.append(itemOf(post, page))
  }
  return thread
}

/** Whether the lines of most posts are among the content of the page, by their letters. */
export function isIn({ posts }: Thread, text: string): boolean {
  const content = new Set(lettersOf(text))
  const lines = posts.flatMap(({ body }) => lettersOf(textOf(body)))
  const letters = (some: readonly string[]) => some.reduce((sum, line) => sum + line.length, 0)
  return letters(lines.filter((line) => content.has(line))) >= LEAST_SHARE * letters(lines)
}

/** Each line, without the marks of lists and spaces. */
function lettersOf(text: string): string[] {
  return text.split('\n').map((line) => line.replace(/^- /, '').replace(/\s+/g, ''))
}

function listIn(outer: Element): Element {
  const list = outer.ownerDocument.createElement('ul')
  outer.append(list)
  return list
}

function itemOf({ author, when, score, body }: Post, page: Document): Element {
  const [item, line] = [page.createElement('li'), page.createElement('p')]
  line.textContent = [author, when, score]
    .map((part) => oneLine(part).slice(0, LINE_CHARACTERS))
    .filter((part) => part !== '')
    .join(APART)
  const words = page.createElement('div')
  words.append(body.cloneNode(true))
  item.append(line, words)
  return item
}
