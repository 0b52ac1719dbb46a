// @vitest-environment page
// A picture of a message, shown large. jsdom knows of no modal dialogs: the test plays what a browser does with one.
import { render } from 'preact'
import { beforeEach, expect, it, vi } from 'vitest'
import { Files } from './files'

const IMAGE = 'data:image/jpeg;base64,AAAA'
let before: Element | null
const press = (selector: string) => document.querySelector<HTMLElement>(selector)?.click()
const dialog = () => document.querySelector<HTMLDialogElement>('dialog')

beforeEach(async () => {
  document.body.innerHTML = '<div id="app"></div>'
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      before = document.activeElement
      this.setAttribute('open', '')
      this.querySelector('button')?.focus()
    },
    close(this: HTMLDialogElement) {
      this.removeAttribute('open')
      if (before instanceof HTMLElement) before.focus()
      this.dispatchEvent(new Event('close'))
    },
  })
  const files = [{ name: 'stove.jpg', mime: 'image/jpeg', size_bytes: 3, data: 'AAAA' }]
  const app = document.getElementById('app')
  if (app) render(<Files files={files} turnId={null} isConnected isAnswered />, app)
  await vi.waitFor(() => expect(document.querySelector('button.pictured')).not.toBeNull())
  document.querySelector<HTMLElement>('button.pictured')?.focus()
})

it('opens in a dialog with its name, in which the focus is, and goes back to where it was', () => {
  expect(document.querySelector('button.pictured')?.getAttribute('aria-label')).toBe('Enlarge stove.jpg')
  press('button.pictured')
  expect([dialog()?.getAttribute('aria-label'), dialog()?.open, document.activeElement?.textContent]).toEqual([
    'stove.jpg',
    true,
    'Close',
  ])
  expect([...document.querySelectorAll<HTMLImageElement>('dialog img')].map(({ src, alt }) => [src, alt])).toEqual([
    [IMAGE, 'stove.jpg'],
  ])
  press('dialog [data-action="close"]')
  expect([dialog(), document.activeElement?.className]).toEqual([null, 'pictured'])
})

it('is read in its own size, by keyboard too', async () => {
  press('button.pictured')
  press('dialog [data-action="own-size"]')
  await vi.waitFor(() => expect(document.querySelector<HTMLElement>('.own-size')?.tabIndex).toBe(0))
  expect(document.querySelector('[data-action="own-size"]')?.getAttribute('aria-pressed')).toBe('true')
})
