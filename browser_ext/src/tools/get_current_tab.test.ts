import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'
import { contextFor } from './fake_browser'
import { getCurrentTab } from './get_current_tab'

interface Shown {
  id?: number
  url?: string
  incognito?: boolean
}

/** One tab in front; the script in its page says where it is. */
function showing(tab: Shown | null, says: string | Error = tab?.url ?? '', later: Shown = {}): { scripts: number } {
  const ran = { scripts: 0 }
  const executeScript = async () => {
    ran.scripts++
    if (says instanceof Error) throw says
    return [{ result: says }]
  }
  Object.assign(fakeBrowser, {
    tabs: {
      query: async () => (tab ? [{ id: 1, incognito: false, ...tab }] : []),
      get: async () => ({ ...tab, ...later }),
    },
    scripting: { executeScript },
  })
  return ran
}

const look = (input: unknown = {}) => getCurrentTab(input, contextFor('example.com').context)

beforeEach(() => {
  fakeBrowser.reset()
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
})

describe('get_current_tab', () => {
  it("returns what the page itself says, without a session's number", async () => {
    showing({ url: 'https://example.com/a' }, 'https://example.com/b?sid=7&q=tea#c')
    expect(await look()).toEqual({ url: 'https://example.com/b?q=tea' })
  })

  it.each<[string, Shown | null]>([
    ['a site that is not allowed', { url: 'https://secret.example/mail?id=7' }],
    ['a private window', { url: 'https://example.com/', incognito: true }],
    ['a page whose address the browser keeps to itself', {}],
    ['no tab at all', null],
  ])('names nothing of %s, and runs nothing there', async (_, tab) => {
    const ran = showing(tab)
    const failure = await look().catch((reason: unknown) => reason)
    expect(failure).toMatchObject({ code: 'not_granted' })
    expect(String(failure)).not.toContain('secret.example')
    expect(ran.scripts).toBe(0)
  })

  it.each([
    'chrome://settings/',
    'about:reader?url=https%3A%2F%2Fexample.com%2F',
    'view-source:https://example.com/',
    'file:///home/me/a.html',
  ])('says that a page of the browser cannot be looked at, and runs nothing there: %s', async (url) => {
    const ran = showing({ url })
    const failure = await look().catch((reason: unknown) => reason)
    expect(failure).toMatchObject({ code: 'bad_url' })
    expect(String(failure)).toContain('cannot look at it')
    expect(String(failure)).not.toContain('example.com')
    expect(ran.scripts).toBe(0)
  })

  it('names nothing of a page that has gone elsewhere in the meantime', async () => {
    showing({ url: 'https://example.com/' }, 'https://secret.example/')
    const failure = await look().catch((reason: unknown) => reason)
    expect(failure).toMatchObject({ code: 'not_granted' })
    expect(String(failure)).not.toContain('secret.example')
  })

  it('names a PDF, into which browsers let no script, by what the tab says twice', async () => {
    const denial = new Error('Cannot access contents of the page')
    showing({ url: 'https://example.com/a.pdf' }, denial)
    expect(await look()).toEqual({ url: 'https://example.com/a.pdf' })
    showing({ url: 'https://example.com/a.pdf' }, denial, { url: 'https://secret.example/' })
    const failure = await look().catch((reason: unknown) => reason)
    expect(failure).toMatchObject({ code: 'load_failed' })
    expect(String(failure)).not.toContain('secret.example')
  })

  it('takes no arguments', async () => {
    showing({ url: 'https://example.com/' })
    await expect(look({ url: 'https://example.com/' })).rejects.toMatchObject({ code: 'internal' })
    await expect(look(null)).rejects.toMatchObject({ code: 'internal' })
  })
})
