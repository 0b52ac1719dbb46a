// The posts of a page, each with its own words only.
import { itemsOf } from './items'
import { mailFrom, ownWords } from './own_words'
import type { Platform } from './platforms'

export interface Post {
  author: string
  when: string
  score: string
  /** From 0. Answers to answers are deeper. */
  depth: number
  body: Element
}

const POSTS_MOST = 1_000
const DEEPEST = 12

/** None where no post has words of its own, or none has an author. */
export function postsOf(page: Document, platform: Platform): Post[] {
  const posts: Post[] = []
  let isThread = false
  for (const { body, link, depth, ...item } of itemsOf(page, platform)) {
    const telling = platform[1] || !body ? item : { ...item, ...mailFrom(body) }
    const words = (body && withWords(ownWords(body, platform))) ?? withWords(link)
    if (!words || !(platform[1] || telling.author)) continue
    isThread ||= words !== link && telling.author !== ''
    if (posts.push({ ...telling, depth: Math.min(depth, DEEPEST), body: words }) === POSTS_MOST) break
  }
  return isThread ? posts : []
}

function withWords(element?: Element): Element | undefined {
  return element && /\S/.test(element.textContent) ? element : undefined
}
