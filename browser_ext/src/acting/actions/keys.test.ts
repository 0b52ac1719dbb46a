// @vitest-environment page
import { beforeEach, expect, it, vi } from 'vitest'
import { allowEvents } from './fake_events'
import { keysOf, pressKey, submitByEnter, typeCharacter } from './keys'

allowEvents()

beforeEach(() => {
  document.body.innerHTML = ''
  Element.prototype.checkVisibility = () => true
})

function put(html: string): void {
  document.body.innerHTML = html
}

function field(id: string): HTMLInputElement {
  return document.getElementById(id) as HTMLInputElement
}

/** The forms that were submitted, which jsdom would otherwise send. */
function submissions(): string[] {
  const forms: string[] = []
  document.addEventListener('submit', (event) => {
    event.preventDefault()
    forms.push(`${(event.target as HTMLFormElement).id} by ${event.submitter?.id ?? 'nothing'}`)
  })
  return forms
}

it('reads combinations of keys', () => {
  expect(keysOf('Control+Shift+A')).toEqual({
    modifiers: ['Control', 'Shift'],
    key: { key: 'A', code: 'KeyA', keyCode: 65, text: 'A' },
  })
  expect(keysOf('Space').key.key).toBe(' ')
  expect(keysOf('F5').key.keyCode).toBe(116)
  expect(() => keysOf('Hyper')).toThrow('There is no key Hyper.')
})

it('submits by Enter with the first button, wherever it stands', () => {
  put(
    '<form id="f"><input id="a"><button type="button" id="no">No</button></form><button form="f" id="yes">Yes</button>',
  )
  const forms = submissions()
  field('a').focus()
  pressKey(document, 'Enter')
  expect(forms).toEqual(['f by yes'])
})

it.each([
  ['one text field', '<input id="a"><input type="checkbox">', ['f by nothing']],
  ['two text fields', '<input id="a"><input>', []],
  ['a button that is switched off', '<input id="a"><button disabled>Go</button>', []],
])('without a button that can be pressed, Enter submits %s as browsers do', (_, html, expectation) => {
  put(`<form id="f">${html}</form>`)
  const forms = submissions()
  submitByEnter(document.querySelector('form') as HTMLFormElement)
  expect(forms).toEqual(expectation)
})

it('does nothing by default where the page forbids it', () => {
  put('<form id="f"><input id="a"><button>Go</button></form>')
  const forms = submissions()
  field('a').addEventListener('keydown', (event) => event.preventDefault())
  field('a').focus()
  pressKey(document, 'Enter')
  expect(forms).toEqual([])
})

it('presses buttons by Space and Enter, and moves on by Tab', () => {
  put('<button id="a">A</button><button id="b">B</button>')
  const press = vi.fn()
  field('a').addEventListener('click', press)
  field('a').focus()
  pressKey(document, 'Space')
  pressKey(document, 'Enter')
  pressKey(document, 'Tab')
  expect(press).toHaveBeenCalledTimes(2)
  expect(document.activeElement?.id).toBe('b')
})

it('steps through numbers and lists by arrows', () => {
  put('<input id="n" type="number" value="3" step="2" min="1"><select id="s"><option>A<option>B</select>')
  field('n').focus()
  pressKey(document, 'ArrowUp')
  field('s').focus()
  pressKey(document, 'ArrowDown')
  expect([field('n').value, field('s').value]).toEqual(['5', 'B'])
})

it('never presses Enter while it types', () => {
  put('<div id="a" contenteditable="true" tabindex="0"></div>')
  const press = vi.fn()
  field('a').addEventListener('keydown', press)
  expect(() => typeCharacter(field('a'), '\n')).toThrow('Type one line, then press Enter.')
  expect(press).not.toHaveBeenCalled()
})
