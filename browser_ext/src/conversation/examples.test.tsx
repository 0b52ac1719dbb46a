// @vitest-environment page
import { render } from 'preact'
import { expect, it } from 'vitest'
import { Examples } from './examples'

it.each([
  ['a model and a browser', { hasModel: true, hasBrowser: true }, ['What can you', 'Read https:', 'I like']],
  ['a browser alone', { hasModel: false, hasBrowser: true }, ['How hot', 'Read https:', 'I like']],
  ['a model alone', { hasModel: true, hasBrowser: false }, ['What can you', 'Remember that', 'I like']],
  ['neither', { hasModel: false, hasBrowser: false }, ['/remind', 'Remember that', 'I like']],
])('the examples work with %s', (_name, works, beginnings) => {
  document.body.innerHTML = '<div id="app"></div>'
  const app = document.getElementById('app')
  if (app) render(<Examples {...works} />, app)
  const texts = [...document.querySelectorAll('.examples button')].map((button) => button.textContent)
  expect(texts.map((text, place) => text.startsWith(beginnings[place] ?? '–'))).toEqual([true, true, true])
})

it('a question is sent with one click, and what Penny would store is put into the box first', () => {
  document.body.innerHTML = '<div id="app"></div><textarea id="composer"></textarea>'
  const app = document.getElementById('app')
  const events: string[] = []
  for (const name of ['penny:send', 'penny:write'])
    document.getElementById('composer')?.addEventListener(name, () => events.push(name))
  if (app) render(<Examples hasModel hasBrowser />, app)
  document.querySelectorAll<HTMLElement>('.examples button').forEach((button) => button.click())
  expect(events).toEqual(['penny:send', 'penny:send', 'penny:write'])
})
