// @vitest-environment page
// The list as a person uses it. The background is played by the test: it answers each command, and the list follows
// only when told.
import { render } from 'preact'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import type { Outcome, PanelCommand } from '../state/panel_state'
import type { GrantInfo } from '../protocol.gen'
import { Sites } from './sites'

const grant: GrantInfo = {
  host: 'a.example',
  capability: 'read',
  state: 'allowed',
  scope: 'always',
  session: 'owner',
  expires_at: null,
}
const other = { ...grant, host: 'b.example' }
const once: GrantInfo = { ...grant, host: 'c.example', scope: 'once', expires_at: '2999-01-01T00:00:00Z' }

let commands: PanelCommand[]
let outcome: Outcome

beforeEach(() => {
  fakeBrowser.reset()
  document.body.innerHTML = '<div id="app"></div>'
  commands = []
  outcome = { ok: true }
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation((request: unknown) => {
    commands.push(request as PanelCommand)
    return Promise.resolve(outcome)
  })
})

function showSites(grants: GrantInfo[], isConnected = true): void {
  const holder = document.getElementById('app')
  if (holder) render(<Sites grants={grants} isConnected={isConnected} server="http://127.0.0.1:8787" />, holder)
}

const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)]
const one = (selector: string) => all(selector)[0]
const row = (host: string) => `.grant[data-host="${host}"]`
const hosts = () => all('.grant').map((element) => element.dataset['host'])
const words = (selector: string) => one(selector)?.textContent ?? ''

function press(selector: string): void {
  one(selector)?.focus()
  one(selector)?.click()
}

describe('the list of sites', () => {
  it('says that it is empty, and what a search found nothing for', async () => {
    showSites([])
    expect(words('#empty')).toContain('No sites yet')
    showSites([grant])
    const search = document.querySelector<HTMLInputElement>('#search')
    if (search) search.value = 'zzz'
    search?.dispatchEvent(new Event('input', { bubbles: true }))
    await vi.waitFor(() => expect(words('#empty')).toContain('No entry contains “zzz”'))
    press('#empty button')
    await vi.waitFor(() => expect(hosts()).toEqual(['a.example']))
  })

  it('says when the connection is gone, and keeps what was said last', () => {
    showSites([grant], false)
    expect(words('#away')).toContain('as she said it last')
    expect(hosts()).toEqual(['a.example'])
    showSites([], false)
    expect(words('#away')).toContain('comes with the connection')
    expect(one('#empty')).toBeUndefined()
  })

  it('changes nothing by itself: the list follows the server', async () => {
    showSites([grant])
    press(`${row('a.example')} [data-action="state"]`)
    await vi.waitFor(() => expect(commands).toHaveLength(1))
    const { expires_at: _none, ...frame } = grant
    expect(commands).toEqual([{ type: 'set_grant', grant: { ...frame, state: 'blocked' } }])
    expect(one(row('a.example'))?.dataset['state']).toBe('allowed')
    showSites([{ ...grant, state: 'blocked' }])
    expect(one(row('a.example'))?.dataset['state']).toBe('blocked')
  })

  it('shows at the row why a change was refused', async () => {
    outcome = { ok: false, message: 'Not this one.' }
    showSites([grant])
    press(`${row('a.example')} [data-action="revoke"]`)
    await vi.waitFor(() => expect(words('.grant [role="alert"]')).toBe('Not this one.'))
    expect(one('#undo')).toBeUndefined()
  })

  it('revokes at once, offers to bring it back, and moves the keyboard there', async () => {
    showSites([grant, other])
    press(`${row('a.example')} [data-action="revoke"]`)
    await vi.waitFor(() => expect(document.activeElement?.textContent).toContain('Undo'))
    expect(commands).toEqual([{ type: 'revoke_grant', grant: { host: 'a.example', capability: 'read' } }])
    showSites([other])
    press('#undo button')
    await vi.waitFor(() => expect(commands).toHaveLength(2))
    showSites([grant, other])
    await vi.waitFor(() => expect(one('#undo')).toBeUndefined())
    const { expires_at: _none, ...frame } = grant
    expect(commands.at(-1)).toEqual({ type: 'set_grant', grant: frame })
    await vi.waitFor(() => expect(one(row('a.example'))?.contains(document.activeElement)).toBe(true))
  })

  it('takes the offer back after a while', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    showSites([grant])
    press(`${row('a.example')} [data-action="revoke"]`)
    await vi.waitFor(() => expect(one('#undo')).toBeDefined())
    await vi.waitFor(() => expect(document.activeElement?.textContent).toContain('Undo'))
    one('#undo')?.querySelector('button')?.blur()
    vi.advanceTimersByTime(8_000)
    vi.useRealTimers()
    await vi.waitFor(() => expect(one('#undo')).toBeUndefined())
  })

  it('asks once more before it revokes what cannot be brought back', async () => {
    showSites([once])
    expect(one(`${row('c.example')} [data-action="state"]`)).toBeUndefined()
    press(`${row('c.example')} [data-action="revoke"]`)
    await vi.waitFor(() => expect(words(`${row('c.example')} [data-action="revoke"]`)).toContain('Yes, revoke'))
    expect(commands).toEqual([])
    press(`${row('c.example')} [data-action="revoke"]`)
    await vi.waitFor(() => expect(commands).toHaveLength(1))
    expect(one('#undo')).toBeUndefined()
  })

  it('keeps the keyboard in the list when its row is revoked elsewhere', async () => {
    showSites([grant, other])
    one(`${row('a.example')} [data-action="revoke"]`)?.focus()
    showSites([other])
    await vi.waitFor(() => expect(one(row('b.example'))?.contains(document.activeElement)).toBe(true))
    showSites([])
    await vi.waitFor(() => expect(document.activeElement?.id).toBe('grant-host'))
  })

  it('shows beside the name why the server refused it, and keeps what was typed', async () => {
    outcome = { ok: false, message: 'github.io is a public suffix.' }
    showSites([])
    const field = document.querySelector<HTMLInputElement>('#grant-host')
    if (field) field.value = 'github.io'
    field?.dispatchEvent(new Event('input', { bubbles: true }))
    press('#add-grant')
    await vi.waitFor(() => expect(words('#add-problem')).toBe('github.io is a public suffix.'))
    expect(field?.value).toBe('github.io')
    expect(field?.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(field)
  })

  it('loses nothing that is typed while the one before is being saved', async () => {
    const answers: ((outcome: Outcome) => void)[] = []
    vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation(
      () => new Promise((resolve) => answers.push(resolve)),
    )
    showSites([])
    const field = document.querySelector<HTMLInputElement>('#grant-host')
    const type = (host: string) => {
      if (field) field.value = host
      field?.dispatchEvent(new Event('input', { bubbles: true }))
    }
    type('a.example')
    press('#add-grant')
    await vi.waitFor(() => expect(words('#add-grant')).toBe('Saving'))
    type('b.example')
    press('#add-grant')
    answers[0]?.({ ok: true })
    await vi.waitFor(() => expect(words('#add-grant')).toBe('Add'))
    expect(field?.value).toBe('b.example')
    expect(answers).toHaveLength(1)
  })
})
