// The page as a picture of it has to know it: how large it is, what of it is seen now, and what must not be seen in the picture.
import { secretsOf, type Rect } from './secrets'

export interface Screen {
  url: string
  /** What is seen now, in CSS pixels of the page. */
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
    view: { x: view.scrollX, y: view.scrollY, width: view.innerWidth, height: view.innerHeight }, // with scrollbars, as a picture has them
    page: { width: root.clientWidth, height: Math.max(root.scrollHeight, page.body?.scrollHeight ?? 0) },
    secrets: secretsOf(page),
  }
}
