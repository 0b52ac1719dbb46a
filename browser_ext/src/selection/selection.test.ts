// What is chosen, what a field takes, and where words go to. The browsers' own editing is tested in browsers.
// @vitest-environment page
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chosenIn } from './chosen'
import { asFieldHolds, putIn, roomIn } from './insert'
import { placeOfWords } from './platforms'
import { languageFor, tasksFor, WRITE } from './tasks'

// jsdom lays nothing out.
beforeEach(() => void Object.assign(Range.prototype, { getClientRects: () => [] }))

function inPage(html: string): HTMLInputElement {
  document.body.innerHTML = html
  const field = document.querySelector<HTMLInputElement>('input, textarea, [contenteditable]')
  field?.focus()
  return field as HTMLInputElement
}

function choose(field: HTMLInputElement, word: string): void {
  const start = field.value.indexOf(word)
  field.setSelectionRange(start, start + word.length)
}

describe('what is chosen', () => {
  it('is the selected part of a field, which is chosen again where it still stands there', () => {
    const field = inPage('<textarea>It rains today.</textarea><input id="other">')
    choose(field, 'rains')
    const chosen = chosenIn(document)
    expect(chosen).toMatchObject({ text: 'rains', field })
    document.querySelector<HTMLElement>('#other')?.focus()
    expect(chosen?.restore()).toBe(true)
    expect([document.activeElement, field.selectionStart, field.selectionEnd]).toEqual([field, 3, 8])
    field.value = 'Another text.'
    expect(chosen?.restore()).toBe(false)
  })

  it('is a passage that can only be read', () => {
    inPage('<p>It rains.</p>')
    document.getSelection()?.selectAllChildren(document.querySelector('p') as Element)
    expect(chosenIn(document)).toMatchObject({ text: 'It rains.', field: null })
  })

  it.each([
    ['nothing', '<p>It rains.</p>'],
    ['a password', '<input type="password" value="rains">'],
    ['a card', '<input autocomplete="cc-number" value="4111 1111 1111 1111">'],
    ['a code', '<input autocomplete="one-time-code" value="123456">'],
    ['a date', '<input type="date" value="2026-03-01">'],
    ['what cannot be changed', '<textarea readonly>It rains.</textarea>'],
  ])('is never %s', (_, html) => {
    inPage(html)?.select?.()
    expect(chosenIn(document)).toBeNull()
  })
})

describe('a field', () => {
  it('says how much more it takes in place of what is chosen', () => {
    expect(roomIn(inPage('<input maxlength="10" value="It rains">'), 'rains')).toBe(7)
    expect(roomIn(inPage('<textarea></textarea>'), '')).toBeNull()
  })

  it('of one line gets one line', () => {
    expect(asFieldHolds(inPage('<input>'), 'One\n\n two')).toBe('One two')
    expect(asFieldHolds(inPage('<textarea></textarea>'), 'One\ntwo')).toBe('One\ntwo')
  })

  it('is written into once, and tells where the page took the words away', async () => {
    const field = inPage('<textarea>It rains today.</textarea>')
    choose(field, 'rains')
    expect(await putIn(field, 'snows')).toBe(true)
    expect(field.value).toBe('It snows today.')
    choose(field, 'snows')
    field.addEventListener('input', () => (field.value = 'Never.'), { once: true })
    expect(await putIn(field, 'hails')).toBe(false)
    expect(field.value).toBe('Never.')
  })
})

it.each([
  ['mail.google.com', '<textarea></textarea>', { platform: 'mail' }],
  ['x.com', '<div contenteditable></div>', { platform: 'social', limit: 280 }],
  ['www.linkedin.com', '<textarea></textarea>', { platform: 'social', limit: 3_000 }],
  ['github.com', '<textarea></textarea>', { platform: 'code' }],
  ['github.com', '<input type="search">', { platform: 'search' }],
  ['notx.com', '<textarea></textarea>', { platform: 'text' }],
  ['shop.example', '<form><input name="city"></form>', { platform: 'form' }],
  ['shop.example', '<textarea aria-label="Your review"></textarea>', { platform: 'review' }],
])('words on %s in %s go to %o', (host, html, place) => expect(placeOfWords(host, inPage(html))).toEqual(place))

describe('the tasks', () => {
  it('of a field rewrite, those of a passage tell about it, and each is there once', () => {
    const [field, passage] = [tasksFor(true), tasksFor(false)]
    expect(field.front.map(({ style }) => style)).toEqual(['shorter', 'longer', 'professional', 'friendly'])
    expect(passage.front.map(({ task }) => task)).toEqual(['explain', 'translate', 'summarise'])
    for (const { front, more } of [field, passage])
      expect(new Set([...front, ...more].map(({ name }) => name)).size).toBe(12)
  })

  it.each([
    ['explain', 'fr', 'de-CH'],
    ['translate', 'en', 'de-CH'],
    ['translate', 'de', 'en'],
  ] as const)('%s a passage in %s in the language %s', async (task, written, to) => {
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['de-CH', 'en'])
    expect(await languageFor({ name: 'bar_explain', task }, 'x', async () => written)).toBe(to)
  })

  it('that go into a field keep its language', async () =>
    expect(await languageFor(WRITE, 'x', async () => 'fr')).toBeUndefined())
})
