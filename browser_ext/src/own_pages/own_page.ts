// What every page of the extension's own begins with.
import type { VNode } from 'preact'
import { render } from 'preact'
import { say } from '../say'
import { wearTheme } from './theme'

/** Shows `app` as the page; what the HTML file cannot know, its language and its title in it, is said here. */
export function openOwnPage(app: VNode, title: string): void {
  document.documentElement.lang = say('language')
  document.title = title
  void wearTheme()
  const holder = document.getElementById('app')
  if (holder) render(app, holder)
}
