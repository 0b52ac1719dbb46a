// @vitest-environment page
// The cases of accname 1.2 that need no layout. tests/e2e/test_accessible_names.py runs them all in Chromium, beside
// three other implementations.
import { beforeEach, expect, it, vi } from 'vitest'
import { layOutPage } from '../snapshot/fake_layout'
import { accessibleName } from './accessible_name'
import cases from './name_cases.json'

const WITHOUT_JSDOM = new Set(['2F pseudo', '2F shadow'])

beforeEach(() => {
  layOutPage()
  document.head.innerHTML =
    '<style>a:not([hidden]), b:not([hidden]), i:not([hidden]), span:not([hidden]) { display: inline }</style>' // jsdom has them as blocks
})

it.each(cases.filter(({ rule }) => !WITHOUT_JSDOM.has(rule)))('$rule: $html', ({ html, name }) => {
  document.body.innerHTML = html
  expect(accessibleName(document.querySelector('[data-t]')!)).toBe(name)
})

it('comes from a shadow tree that is closed to the page', () => {
  document.body.innerHTML = '<button><x-a>Light</x-a></button>'
  const closed = document.querySelector('x-a')!.attachShadow({ mode: 'closed' })
  closed.innerHTML = '<b>Inner</b> <slot></slot>'
  const openOrClosedShadowRoot = (element: Element) => (element.localName === 'x-a' ? closed : null)
  expect(accessibleName(document.querySelector('button')!)).toBe('Light')
  vi.stubGlobal('chrome', { dom: { openOrClosedShadowRoot } })
  expect(accessibleName(document.querySelector('button')!)).toBe('Inner Light')
  vi.unstubAllGlobals()
})
