// @vitest-environment page
// The panel before it is paired. The background and the tab in front are played by the test.
import { render } from 'preact'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { EMPTY_STATE, type Outcome, type PanelCommand } from '../state/panel_state'
import { PairingView } from './pairing_view'

let commands: PanelCommand[]
let offered: string | undefined
let outcome: Outcome
let behind: { title: string; url: string }[] = []
let front: { title: string; url: string } | undefined
const at = (selector: string) => document.querySelector<HTMLElement>(selector)
const others = () => commands.filter(({ type }) => type !== 'find_offer')

beforeEach(() => {
  fakeBrowser.reset()
  document.body.innerHTML = '<div id="app"></div>'
  commands = []
  outcome = { ok: true }
  vi.spyOn(fakeBrowser.runtime, 'sendMessage').mockImplementation((request: unknown) => {
    const command = request as PanelCommand
    commands.push(command)
    return Promise.resolve(command.type === 'find_offer' ? { ok: true, ...(offered && { server: offered }) } : outcome)
  })
  Object.assign(fakeBrowser.tabs, {
    getCurrent: async () => undefined,
    query: async () => [...behind, { id: 7, active: true, incognito: false, url: offered, ...front }],
  })
  behind = []
  front = undefined
})

async function opened(server?: string): Promise<void> {
  offered = server
  render(<PairingView state={EMPTY_STATE} />, at('#app') as HTMLElement)
  await vi.waitFor(() => expect(at('.pairing')?.getAttribute('aria-busy')).toBe('false'), 4_000)
}

describe('the panel before it is paired', () => {
  it('shows the address of the offer in full, and sends nothing before Connect is pressed', async () => {
    await opened('http://127.0.0.1:9412')
    expect(at('#offer-address')?.textContent).toBe('http://127.0.0.1:9412')
    expect(at('#offer-elsewhere')).toBeNull()
    expect(others()).toEqual([])
    const name = at('#offer-label') as HTMLInputElement
    name.value = 'Kitchen'
    at('#connect')?.click()
    await vi.waitFor(() => expect(others()).toHaveLength(1))
    const server = 'http://127.0.0.1:9412'
    expect(others()).toEqual([{ type: 'pair_offered', tab_id: 7, server, label: 'Kitchen' }])
  })

  it('warns where the address is not on this computer', async () => {
    await opened('https://penny.example')
    expect(at('#offer-elsewhere')?.textContent).toContain('not on this computer')
  })

  it('stays with what it showed when the tab shows another offer meanwhile', async () => {
    await opened('http://127.0.0.1:8787')
    offered = 'http://127.0.0.1:6666'
    outcome = { ok: false, message: 'Another page is there.' }
    at('#connect')?.click()
    await vi.waitFor(() => expect(at('#offer-problem')?.textContent).toBe('Another page is there.'))
    expect(others()).toMatchObject([{ server: 'http://127.0.0.1:8787' }])
    expect(at('#offer-address')?.textContent).toBe('http://127.0.0.1:8787')
    offered = 'http://127.0.0.1:8787'
    at('#offer-again')?.click()
    await vi.waitFor(() => expect(at('#offer-problem')?.textContent).toBe(''))
    expect(document.activeElement).toBe(at('#connect'))
    await vi.waitFor(() => expect(at('.pairing')?.getAttribute('aria-busy')).toBe('false'))
    offered = 'http://127.0.0.1:6666'
    at('#connect')?.click()
    await vi.waitFor(() => expect(at('#offer-again')).not.toBeNull())
    at('#offer-again')?.click()
    await vi.waitFor(() => expect(at('#offer-address')?.textContent).toBe('http://127.0.0.1:6666'))
  })

  it('takes a typed code where no page offers, and looks again when the owner says so', async () => {
    await opened()
    expect(at('#offer')).toBeNull()
    expect(document.activeElement).toBe(at('#code'))
    offered = 'http://127.0.0.1:8787'
    at('#offer-look')?.click()
    await vi.waitFor(() => expect(at('#connect')).not.toBeNull())
    expect(at('details #code')).not.toBeNull()
    expect((at('#server') as HTMLInputElement).value).toBe('http://127.0.0.1:8787')
  })

  it.each([
    ['Connect this browser · Penny', 'http://127.0.0.1:8941/setup/', true],
    ['Pennywise', 'http://127.0.0.1:8941/setup/', false],
    ['Connect this browser · Penny', 'https://penny.example/setup/', false],
  ])('looks by itself when %s at %s comes to the front: %s', async (title, url, looks) => {
    await opened()
    offered = 'http://127.0.0.1:8941'
    front = { title, url }
    commands = []
    await fakeBrowser.tabs.onActivated.trigger({ tabId: 7, windowId: 1 })
    if (looks) return vi.waitFor(() => expect(at('#offer-address')?.textContent).toBe(offered))
    await new Promise((resolve) => setTimeout(resolve))
    expect(commands).toEqual([])
  })

  it.each([
    ['none', [], 'http://127.0.0.1:8787'],
    ['her own', [{ title: 'Feed · Penny', url: 'http://127.0.0.1:8941/chat/' }], 'http://127.0.0.1:8941'],
    [
      'two',
      ['http://127.0.0.1:8941/', 'http://localhost:9/'].map((url) => ({ title: 'Penny', url })),
      'http://127.0.0.1:8787',
    ],
  ])('with %s of Penny’s tabs behind the address is hers on this computer', async (_whose, own, server) => {
    const foreign = ['https://evil.example/', 'http://127.0.0.1.evil.example/', 'about:blank', 'https://localhost/']
    const named = { title: 'Pennywise', url: 'http://127.0.0.1:1/' }
    behind = [...foreign.map((url) => ({ title: 'Feed · Penny', url })), named, ...own]
    await opened()
    expect((at('#server') as HTMLInputElement).value).toBe(server)
  })
})
