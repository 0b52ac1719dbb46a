import type { VNode } from 'preact'
import { render } from 'preact'
import { say } from '../say'
import { wearTheme } from './theme'

/** Show `app` as the page. Language and title are set here, because an HTML file cannot know them. */
export function openOwnPage(app: VNode, title: string): void {
  document.documentElement.lang = say('language')
  document.title = title
  void wearTheme()
  const holder = document.getElementById('app')
  if (holder) render(app, holder)
}
