// @vitest-environment page
import { describe, expect, it } from 'vitest'
import { formOf } from '../form/page_form'
import type { Post } from './posts'
import { isIn, threadList } from './thread_list'

const post = (author: string, depth: number, html: string, score = ''): Post => {
  const body = document.createElement('div')
  body.innerHTML = html
  return { author, when: author && '3 hours ago', score, depth, body }
}
const title = Object.assign(document.createElement('h1'), { textContent: 'Springs' })
const POSTS = [
  post('ada', 0, '<p>Which spring?</p><p>It broke.</p>', '12 points'),
  post('ben', 3, '<p>The <a href="/x">short</a> one.</p>', '4 points'),
  post('', 4, '<pre>a  b\n  c</pre>'),
  post('cy', 1, 'Or both.'),
  post('di', 0, '<ul><li>one</li><li>two</li></ul>'),
]

describe('a thread as a list', () => {
  it('has an item for each post, with author, time and score, below what it answers', () => {
    expect(formOf(threadList({ title, posts: POSTS }, document), () => 1)).toBe(
      [
        '# Springs',
        '',
        '- ada · 3 hours ago · 12 points',
        '',
        '  Which spring?',
        '',
        '  It broke.',
        '',
        '  - ben · 3 hours ago · 4 points',
        '',
        '    The [short](l1) one.',
        '',
        '    - ```',
        '      a  b',
        '        c',
        '      ```',
        '',
        '  - cy · 3 hours ago',
        '',
        '    Or both.',
        '- di · 3 hours ago',
        '',
        '  - one',
        '  - two',
      ].join('\n'),
    )
  })

  it('is told from posts beside another text', () => {
    const thread = { title, posts: POSTS }
    expect(isIn(thread, 'Which spring?\nIt broke.\nThe short one.\n- one')).toBe(true)
    expect(isIn(thread, 'Which spring?\nAn article about springs.')).toBe(false)
  })
})
