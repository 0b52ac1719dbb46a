// @vitest-environment page
// The part of the options page about the history, as a person uses it. The background is played by the test.
import { render } from 'preact'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { Outcome, PanelState } from '../state/panel_state'
import { History } from './history'

let requests: unknown[]
let outcome: Outcome

beforeEach(() => {
  fakeBrowser.reset()
  document.body.innerHTML = '<div id="app"></div>'
  requests = []
  outcome = { ok: true }
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation((request: unknown) => {
    requests.push(request)
    return Promise.resolve(outcome)
  })
  Object.assign(fakeBrowser, {
    permissions: { request: async (permissions: unknown) => requests.push(permissions) > 0 },
  })
})

const one = <Kind extends HTMLElement>(selector: string) => document.querySelector<Kind>(selector) as Kind
const words = (selector: string) => one(selector)?.textContent ?? ''

function showHistory(history: Partial<PanelState['history']> = {}): void {
  render(
    <History history={{ on: false, own: [], waiting: 0, ...history }} server="http://127.0.0.1:8787" />,
    one('#app'),
  )
}

function typeList(text: string): void {
  one<HTMLTextAreaElement>('#own-list').value = text
  one('#own-list').dispatchEvent(new Event('input', { bubbles: true }))
}

describe('sharing the history', () => {
  it('asks the browser within the click, then the background, and shows what that says', async () => {
    showHistory()
    const box = one<HTMLInputElement>('#share-history')
    expect(box.checked).toBe(false)
    box.click()
    expect(requests).toEqual([{ permissions: ['history'] }])
    await vi.waitFor(() => expect(requests).toHaveLength(2))
    expect(requests[1]).toEqual({ type: 'set_history', on: true })
    expect(box.checked).toBe(false)
    showHistory({ on: true, waiting: 1 })
    expect(box.checked).toBe(true)
    expect(words('#history-waiting')).toBe('1 visit waits to be told.')
  })

  it('is switched off without a question', async () => {
    showHistory({ on: true })
    one('#share-history').click()
    await vi.waitFor(() => expect(requests).toEqual([{ type: 'set_history', on: false }]))
  })

  it('says why it stays off', async () => {
    outcome = { ok: false, message: 'The browser did not allow it, so nothing is shared.' }
    showHistory()
    one('#share-history').click()
    await vi.waitFor(() => expect(words('#share-problem')).toContain('did not allow it'))
  })

  it('takes the owner’s list, and keeps what is typed while it is saved', async () => {
    showHistory({ own: ['knitting'] })
    expect(one<HTMLTextAreaElement>('#own-list').value).toBe('knitting')
    typeList('knitting\nexample.com')
    await vi.waitFor(() => expect(one<HTMLTextAreaElement>('#own-list').value).toContain('example.com'))
    one('#own-save').click()
    await vi.waitFor(() => expect(words('#own-outcome')).toBe('Saved.'))
    expect(requests).toEqual([{ type: 'set_history_own', list: 'knitting\nexample.com' }])
    showHistory({ own: ['knitting', 'example.com'] })
    expect(one<HTMLTextAreaElement>('#own-list').value).toBe('knitting\nexample.com')
  })

  it('leads to where it is seen and deleted', () => {
    showHistory()
    expect(one<HTMLAnchorElement>('#history-page').href).toBe('http://127.0.0.1:8787/history/')
  })
})
