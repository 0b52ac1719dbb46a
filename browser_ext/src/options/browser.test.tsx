// @vitest-environment page
// The name of this browser as a person changes it. The background is played by the test.
import { render } from 'preact'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { Outcome, PanelCommandOf } from '../state/panel_state'
import { mayTakePictures, setPictures } from '../tools/pictures_permission'
import { Browser } from './browser'

const field = () => document.querySelector<HTMLInputElement>('#label')
const words = (selector: string) => document.querySelector(selector)?.textContent ?? ''

let isPermitted: boolean

function showPage(label: string): void {
  const holder = document.getElementById('app')
  if (holder) render(<Browser label={label} server="http://127.0.0.1:8787" toolUse={true} />, holder)
}

function typeName(label: string): void {
  const box = field()
  if (box) box.value = label
  box?.dispatchEvent(new Event('input', { bubbles: true }))
}

beforeEach(() => {
  fakeBrowser.reset()
  document.body.innerHTML = '<div id="app"></div>'
  isPermitted = false
  const request = async () => (isPermitted = true)
  const remove = async () => !(isPermitted = false)
  Object.assign(fakeBrowser, { permissions: { contains: async () => isPermitted, request, remove } })
})

describe('pictures of pages', () => {
  it('are taken from when the owner and the browser let them be until the owner does not', async () => {
    const switches: boolean[] = []
    vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation(async (command: unknown) => {
      const { on } = command as PanelCommandOf<'set_pictures'>
      switches.push(on)
      await setPictures(on)
      return { ok: true }
    })
    showPage('Desk')
    const box = () => document.querySelector<HTMLInputElement>('#pictures')
    expect(box()?.checked).toBe(false)
    box()?.click()
    await vi.waitFor(() => expect([isPermitted, box()?.checked, switches]).toEqual([true, true, [true]]))
    box()?.click()
    await vi.waitFor(() => expect([box()?.checked, switches]).toEqual([false, [true, false]]))
    expect(await mayTakePictures()).toBe(false)
  })
})

describe('the name of this browser', () => {
  it('loses nothing that is typed while the one before is being saved', async () => {
    const answers: ((outcome: Outcome) => void)[] = []
    vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation(
      () => new Promise((resolve) => answers.push(resolve)),
    )
    showPage('Desk')
    typeName('Kitchen')
    document.querySelector<HTMLElement>('#rename-save')?.click()
    await vi.waitFor(() => expect(words('#rename-save')).toBe('Saving'))
    typeName('Kitchen window')
    answers[0]?.({ ok: true })
    await vi.waitFor(() => expect(words('#rename-save')).toBe('Save'))
    expect(field()?.value).toBe('Kitchen window')
    expect(words('#rename-outcome')).toBe('')
    document.querySelector<HTMLElement>('#rename-save')?.click()
    await vi.waitFor(() => expect(answers).toHaveLength(2))
    answers[1]?.({ ok: true })
    await vi.waitFor(() => expect(words('#rename-outcome')).toBe('Saved.'))
  })
})
