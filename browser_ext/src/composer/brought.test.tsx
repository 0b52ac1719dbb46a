// @vitest-environment page
// What is pasted, dropped and typed with an input method, in the panel's box.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { MESSAGE_CHARACTERS } from '../server/frames'
import { bring, drawPictures, emptyPage, field, fileNames, pictureFile, showBox, typeText } from './fake_box'

const FIGURE = 'Sales\t2026\nCoffee\t12'
const asides = () => [...document.querySelectorAll('.composer .aside')].map((aside) => aside.textContent)

beforeEach(() => {
  emptyPage()
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockResolvedValue({ ok: true })
  drawPictures(() => 100)
  File.prototype.arrayBuffer = async () => new TextEncoder().encode('words').buffer // jsdom has none
  showBox()
})

describe('a paste', () => {
  it.each([
    ['a table with its picture', { 'text/plain': FIGURE, 'text/html': '<table></table>' }],
    ['words without a plain form', { 'text/html': '<p>Coffee, <b>twelve</b></p>' }],
    ['words that begin with an address', { 'text/plain': 'https://a.example/ is where it stands' }],
  ])('of %s is words, and the picture is offered', async (_what, types) => {
    expect(bring('paste', [pictureFile()], types)).toBe(true)
    await vi.waitFor(() => expect(asides()).toEqual(['A picture came with the words. Attach it']))
    expect(fileNames()).toEqual([])
    document.querySelector<HTMLElement>('#attach-offered')?.click()
    await vi.waitFor(() => expect(fileNames()).toEqual(['image.png']))
    expect(asides()).toEqual([])
  })

  it.each([
    ['a picture alone', {}],
    ['a picture of a page', { 'text/html': '<meta charset="utf-8"><img src="https://a.example/i.png">' }],
    ['a picture with its address', { 'text/plain': 'https://a.example/i.png' }],
    ['a file of the file manager', { 'text/plain': 'file:///home/ada/image.png' }],
    ['a file with its name', { 'text/plain': 'image.png' }],
  ])('of %s is a file', async (_what, types) => {
    expect(bring('paste', [pictureFile()], types)).toBe(false)
    await vi.waitFor(() => expect(fileNames()).toEqual(['image.png']))
    expect(asides()).toEqual([])
  })

  it('that fits is left to the browser, and a longer one becomes a file', async () => {
    typeText('Look: ')
    const most = 'a'.repeat(MESSAGE_CHARACTERS - field().value.length)
    expect(bring('paste', [], { 'text/plain': most })).toBe(true)
    expect(fileNames()).toEqual([])
    expect(bring('paste', [], { 'text/plain': `${most}a` })).toBe(false)
    await vi.waitFor(() => expect(fileNames()).toEqual(['pasted.txt']))
    expect(asides()).toEqual(['That is too long for a message, so it goes along as a file.'])
    expect(field().value).toBe('Look: ')
  })
})

describe('a drop', () => {
  it.each([
    ['words', { 'text/plain': 'a passage' }, 'a passage'],
    ['a link', { 'text/uri-list': 'https://a.example/', 'text/plain': 'https://a.example/' }, 'https://a.example/'],
  ])('of %s is inserted where the caret is, also beside the field', async (_what, types, words) => {
    field().value = 'Is it ?'
    field().setSelectionRange(6, 6)
    bring('drop', [], types)
    await vi.waitFor(() => expect(field().value).toBe(`Is it ${words}?`))
    bring('drop', [], types, document.querySelector('.composer .bar') as Element)
    await vi.waitFor(() => expect(field().value).toBe(`Is it ${words}${words}?`))
  })

  it('of what was dragged out of the field itself is the browser’s', () => {
    field().dispatchEvent(new Event('dragstart', { bubbles: true }))
    expect(bring('drop', [], { 'text/plain': 'moved' })).toBe(true)
    field().dispatchEvent(new Event('dragend', { bubbles: true }))
    expect(bring('drop', [], { 'text/plain': 'moved' })).toBe(false)
  })
})

it.each([
  ['during a composition', { isComposing: true }, false],
  ['that ends a composition in Safari', { keyCode: 229 }, false],
  ['by itself', { keyCode: 13 }, true],
])('takes Enter %s for sending: %s', async (_when, how, isSending) => {
  typeText('こんにちは')
  await vi.waitFor(() => expect(document.querySelector<HTMLButtonElement>('#send')?.disabled).toBe(false))
  const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...how })
  field().dispatchEvent(enter)
  expect(enter.defaultPrevented).toBe(isSending)
})
