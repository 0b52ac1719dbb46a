// @vitest-environment page
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { layOutPage } from '../snapshot/fake_layout'
import { allowEvents } from './fake_events'
import { setField, valueShown } from './set_field'

allowEvents()

const guard = { assertFree: () => undefined }

beforeEach(() => {
  layOutPage()
  document.body.innerHTML = ''
  // jsdom lays nothing out: what was added last lies on top
  document.elementFromPoint = () => document.querySelector('#it')
  Element.prototype.scrollIntoView = () => undefined
  Object.defineProperty(document, 'hidden', { value: true, configurable: true })
})

function put(html: string): HTMLInputElement {
  document.body.innerHTML = html
  return document.querySelector('#it') as HTMLInputElement
}

function eventsOf(element: Element): string[] {
  const types: string[] = []
  for (const type of ['beforeinput', 'input', 'change', 'click'])
    element.addEventListener(type, () => void types.push(type))
  return types
}

describe('a field', () => {
  it.each([
    ['text', '<input id="it" value="old">', 'new', 'new'],
    ['a textarea', '<textarea id="it">old</textarea>', 'two\nlines', 'two\nlines'],
    ['a number', '<input id="it" type="number">', '12', '12'],
    ['a date', '<input id="it" type="date">', '2026-11-28', '2026-11-28'],
    ['a colour', '<input id="it" type="color">', '#FF8800', '#ff8800'],
    ['a range', '<input id="it" type="range" min="0" max="10">', '7', '7'],
    ['a list by label', '<select id="it"><option>A<option value="b">Blue</select>', 'blue', 'Blue'],
    ['a list by value', '<select id="it"><option>A<option value="b">Blue</select>', 'b', 'Blue'],
  ])('takes a value: %s', async (_, html, value, shows) => {
    const element = put(html)
    const events = eventsOf(element)
    await setField(element, value, guard)
    expect(valueShown(element)).toBe(shows)
    expect(events).toContain('input')
    expect(events).toContain('change')
  })

  it('takes several options where the list takes several', async () => {
    const element = put('<select id="it" multiple><option>A<option selected>B<option>C</select>')
    await setField(element, ['A', 'C'], guard)
    expect(valueShown(element)).toBe('A, C')
  })

  it('is set past what the page put over its value, so that React notes the change', async () => {
    const element = put('<input id="it">')
    const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
    const track = vi.fn()
    Object.defineProperty(element, 'value', { get: () => native?.get?.call(element) as string, set: track })
    await setField(element, 'Ann', guard)
    expect(valueShown(element)).toBe('Ann')
    expect(track).not.toHaveBeenCalled()
  })

  it.each([
    ['a checkbox', '<input id="it" type="checkbox">'],
    ['a switch', '<div id="it" role="switch" aria-checked="false"></div>'],
  ])('is switched on once: %s', async (_, html) => {
    const element = put(html)
    const events = eventsOf(element)
    element.addEventListener('click', () => element.setAttribute('aria-checked', 'true'))
    await setField(element, true, guard)
    await setField(element, true, guard)
    expect(valueShown(element)).toBe('true')
    expect(events.filter((type) => type === 'click')).toHaveLength(1)
  })
})

describe('a field refuses', () => {
  it.each([
    ['a password', '<input id="it" type="password">', 'x', 'secret_refused'],
    ['a card number', '<input id="it" autocomplete="cc-number">', '4', 'secret_refused'],
    ['a new password', '<input id="it" autocomplete="section-a new-password">', 'x', 'secret_refused'],
    ['a file', '<input id="it" type="file">', 'x', 'unsupported'],
    ['what can only be read', '<input id="it" readonly>', 'x', 'not_editable'],
    ['what is no field', '<p id="it">x</p>', 'x', 'not_editable'],
    ['a date without its form', '<input id="it" type="date">', 'tomorrow', 'value_refused'],
    ['words for a number', '<input id="it" type="number">', 'many', 'value_refused'],
    ['an option that is not there', '<select id="it"><option>A</select>', 'B', 'no_option'],
    ['two options in a list for one', '<select id="it"><option>A<option>B</select>', ['A', 'B'], 'not_editable'],
    ['what is switched off', '<input id="it" disabled>', 'x', 'disabled'],
    ['a switch that stays', '<div id="it" role="switch" aria-checked="false"></div>', true, 'value_refused'],
  ])('%s', async (_, html, value, code) => {
    await expect(setField(put(html), value, guard)).rejects.toMatchObject({ code })
  })

  it('a value that the page takes back', async () => {
    const element = put('<input id="it" value="old">')
    element.addEventListener('input', () => (element.value = 'other'))
    await expect(setField(element, 'new', guard)).rejects.toMatchObject({
      code: 'value_refused',
      message: 'The field now holds “other”.',
    })
  })
})
