// What a picture of the page depends on: the size of the page, the visible part, and secrets to paint over.
import { secretsOf, type Rect } from './secrets'

export interface Screen {
  url: string
  /** The visible part, in CSS pixels of the page. */
  view: Rect
  page: { width: number; height: number }
  secrets: Rect[]
}

export function screenOf(page: Document): Screen {
  const view = page.defaultView
  if (!view) throw new Error('only a page that is shown can be looked at')
  const root = page.documentElement
  return {
    url: page.URL,
    // with scrollbars, which pictures include
    view: { x: view.scrollX, y: view.scrollY, width: view.innerWidth, height: view.innerHeight },
    page: { width: root.clientWidth, height: Math.max(root.scrollHeight, page.body?.scrollHeight ?? 0) },
    secrets: secretsOf(page),
  }
}
