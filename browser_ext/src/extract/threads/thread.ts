// Threads of discussion, and their posts.
import { alternatives, PLATFORMS } from './platforms'
import { postsOf, type Post } from './posts'

export interface Thread {
  title: Element | null
  posts: Post[]
}

/** Null where the page is no thread. `visible` is the visible copy of the page, and is not changed. */
export function threadOf(visible: Document): Thread | null {
  for (const platform of PLATFORMS) {
    const [item, author, , body, { mark, share = 0, title } = {}] = platform
    const first = (selectors = '') => (selectors ? visible.querySelector(alternatives(selectors).join()) : null)
    if ([item, author, body, mark].some((selectors) => selectors && !first(selectors))) continue
    const posts = postsOf(visible, platform)
    const letters = posts.reduce((sum, post) => sum + lettersIn(post.body), 0)
    if (letters > share * lettersIn(visible.body)) return { title: first(title) ?? first('h1'), posts }
  }
  return null
}

function lettersIn(element: Element): number {
  return element.textContent.replace(/\s+/g, '').length
}
